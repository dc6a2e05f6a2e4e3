import BridgeCore

/// A path of an answer that begins with `this` begins with the instance, made by the page, whose method or constructor has sent the message.
extension DeclaredAnswer {
  private static let word = "this"

  /// The answer to a message of an instance.
  func about(_ instance: String) -> DeclaredAnswer {
    switch step {
    case .call(let path, let arguments): return with(.call(path: Self.path(path, from: instance), arguments: arguments))
    case .set(let path, let value): return with(.set(path: Self.path(path, from: instance), value))
    case .dispatch(let name, var form, let members):
      if form.target.first == Self.word { form.target[0] = instance }
      return with(.dispatch(name: name, form, members))
    case .reply, .fail, .event, .store: return self
    }
  }

  /// Whether it needs a message of an instance.
  var isAboutInstance: Bool { about("") != self }

  private func with(_ step: Step) -> DeclaredAnswer { DeclaredAnswer(step, delay: delay, where: condition) }

  private static func path(_ path: [JSONTemplate], from instance: String) -> [JSONTemplate] {
    guard case .constant(.string(let text)) = path.first else { return path }
    // A single text is a path with dots.
    let names = path.count == 1 ? text.split(separator: ".").map { String($0) } : [text]
    guard names.first == word else { return path }
    return [.constant(.string(instance))] + names.dropFirst().map { .constant(.string($0)) } + path.dropFirst()
  }
}
