/// Calls OpenSSL, which may have no memory for a moment, up to three times. Returns nil if it fails each time: a program in Swift then ends
/// sooner or later anyway.
func attempt<Result>(_ call: () -> Result?) -> Result? {
  for _ in 0..<3 {
    if let result = call() { return result }
  }
  return nil
}

/// The same for a call that says whether it has worked.
func succeeds(_ call: () -> Bool) -> Bool { attempt { call() ? true : nil } ?? false }
