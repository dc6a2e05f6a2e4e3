extension BridgeHost {
  /// The last answer to `capability.query` of any host.
  private static var latestCapabilityAnswer: [UInt8] = []

  /// Registers a handler. Replaces the handler of the same action.
  public func register(handler: any BridgeCapabilityHandler) {
    handlers[handler.action] = RegisteredHandler(handler)
  }

  /// Registers a handler that answers at once. Replaces the handler of the same action.
  public func register(answering handler: any AnsweringCapabilityHandler) {
    handlers[handler.action] = .answering(handler)
  }

  /// Registers the handler of many actions, after the existing ones. The first family that accepts a request handles it. A handler that is
  /// registered for the request's action has precedence over all families. Not in the reference.
  public func register(family: any BridgeHandlerFamily) {
    if !families.contains(where: { $0 === family }) { families.append(family) }
  }

  /// Removes the handler of many actions.
  public func unregister(family: any BridgeHandlerFamily) {
    families.removeAll { $0 === family }
  }

  /// Removes the handler of `action`. Its requests go to ``pendingRequests`` from now on.
  public func unregister(action: String) {
    handlers[action] = nil
    if !families.isEmpty || !servedFamilies.isEmpty { familyExceptions.insert(action) }
  }

  /// Registers a capability without a typed slot. It appears in the answer to `capability.query`, and `handler` handles its requests.
  ///
  /// A slot with a handler and the same id or action has precedence, both in the answer and for requests.
  ///
  /// - Parameters:
  ///   - id: The capability's id, which is also the action of its requests, such as `nfc.read`.
  ///   - version: The version in the answer to `capability.query`; `1.0` by default.
  ///   - handler: Called in a task for each request.
  public func registerCustomCapability(
    _ id: String,
    version: String? = nil,
    handler: @escaping @Sendable (BridgeMessage, any BridgeResponder) async -> Void
  ) {
    let info = BridgeCapabilityInfo(supported: true, version: version ?? "1.0")
    let handler = CustomCapabilityHandler(action: id, body: handler)
    customCapabilities[id] = CustomCapability(info: info, handler: RegisteredHandler(handler))
  }

  /// Sets the description of a custom capability in the answer to `capability.query`. The handler of its requests stays.
  func declareCapability(_ id: String, _ info: BridgeCapabilityInfo) {
    customCapabilities[id] = CustomCapability(info: info, handler: customCapabilities[id]?.handler)
  }

  /// Makes `handler` the only handler of `action`, until another one is registered for it. With nil, its requests wait to be answered by
  /// hand. The answer to `capability.query` does not change.
  func replaceHandler(of action: String, with handler: (any BridgeCapabilityHandler)?) {
    unregister(action: action)
    customCapabilities[action] = CustomCapability(
      info: customCapabilities[action]?.info, handler: handler.map { RegisteredHandler($0) })
  }

  /// Whether the slots have been made.
  package var hasSlots: Bool { madeSlots != nil }

  /// The slots, made when they are first needed.
  package var slots: [CaptureCapability] { [documentCapture, selfieCapture] }

  /// The slots by their names.
  var capture: CaptureSlots {
    if let madeSlots { return madeSlots }
    let slots = CaptureSlots()
    for slot in [slots.document, slots.selfie] {
      slot.onDeclarationChange = { [weak self] in self?.capabilityAnswer = nil }
    }
    madeSlots = slots
    prepareSlots?(self)
    prepareSlots = nil
    return slots
  }

  /// The text of the answer to `capability.query`. It is kept until something changes, and shared by hosts with the same answer.
  func keptCapabilityAnswer(_ capabilities: (BridgeHost) -> [String: BridgeCapabilityInfo]) -> [UInt8] {
    if let capabilityAnswer { return capabilityAnswer }
    let answer = CapabilityQueryHandler.answer(capabilities(self), hostVersion: configuration.hostVersion)
    if Self.latestCapabilityAnswer != answer { Self.latestCapabilityAnswer = answer }
    capabilityAnswer = Self.latestCapabilityAnswer
    return Self.latestCapabilityAnswer
  }

  /// The host's present capabilities: its slots and its custom ones. A custom capability replaces a slot without a handler.
  var currentCapabilities: [String: BridgeCapabilityInfo] {
    var capabilities = customCapabilities.compactMapValues(\.info)
    for slot in slots {
      if slot.handler != nil {
        capabilities[slot.actionId] = nil
      } else if capabilities[slot.id] != nil {
        continue
      }
      capabilities[slot.id] = slot.buildCapabilityInfo()
    }
    return capabilities
  }
}
