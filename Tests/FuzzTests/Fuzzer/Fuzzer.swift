import Foundation

/// `Fuzzer TARGET [OPTION…] [FOLDER…]`: libFuzzer on one target. Only `make fuzz` builds it.
@main
enum Fuzzer {
  nonisolated(unsafe) private static var target = FuzzTarget.requests

  static func main() {
    var arguments = CommandLine.arguments
    guard arguments.count > 1, let named = FuzzTarget(rawValue: arguments[1]) else {
      print("Name a target: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
      exit(EX_USAGE)
    }
    // Set once, before libFuzzer calls from this same thread.
    target = named
    arguments.remove(at: 1)
    var count = CInt(arguments.count)
    let texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
    for (index, text) in arguments.enumerated() { (texts + index).initialize(to: strdup(text)) }
    (texts + arguments.count).initialize(to: nil)
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = texts
    exit(runDriver(&count, &pointer) { Fuzzer.run(Array(UnsafeBufferPointer(start: $0, count: $1))) })
  }

  private static func run(_ input: [UInt8]) -> CInt {
    let target = target
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await target.check(input)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        // The end of the process is what libFuzzer takes for a finding: it then keeps the input.
        abort()
      }
      done.signal()
    }
    done.wait()
    return 0
  }
}

/// libFuzzer's own main function.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
