import Essentials

/// An address as a QR code in the terminal, so that a phone can open it.
///
/// The program `qrencode` draws it. A library for this one picture would be a dependency for everybody.
struct QRCode {
  private static let program = "qrencode"

  let address: String

  /// Prints it to standard output. Returns false if the program is not installed.
  ///
  /// - Throws: `Failure` if the program does not succeed.
  func print() async throws -> Bool {
    let process: CommandProcess
    do {
      // The address gives access to the session, so it is not an argument: all users of the machine can see arguments.
      process = try CommandProcess([Self.program, "-t", "ANSIUTF8"], input: address)
    } catch  where error.number == ENOENT {
      return false
    } catch {
      throw Failure(
        message: "\(Self.program) cannot be run: \(String(cString: strerror(error.number))).", code: EX_UNAVAILABLE)
    }
    await process.waitForEnd()
    let code = process.exitCode()
    guard code == 0 else {
      throw Failure(message: "\(Self.program) has ended with \(code), so there is no QR code.", code: EX_UNAVAILABLE)
    }
    return true
  }

  /// The advice if the program is missing.
  static let advice =
    "A QR code needs the program \(program). Install it: apt-get install qrencode, or brew install qrencode on macOS."
}
