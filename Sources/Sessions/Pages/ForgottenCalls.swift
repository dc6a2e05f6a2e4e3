/// The stored part of a page's calls that have run and whose answers are forgotten.
struct ForgottenCalls: Sendable, Hashable, Codable {
  /// The calls of one series of correlation ids.
  struct Series: Sendable, Hashable, Codable {
    /// The prefix of the ids.
    let prefix: String
    /// All calls up to this number have run, …
    let through: Int
    /// … except these, which had no answer yet.
    let unanswered: [Int]
  }

  /// The series with forgotten answers.
  var series: [Series] = []
}
