import OnsideKit

extension Session {
  /// Signs one of the session's accounts in. A login sheet that is open is answered with it, as a person would.
  func signIn(account id: String) {
    sheets.close(kind: "login", with: .approve(["account": .string(id)]))
    onside.signIn(account: id)
  }
}
