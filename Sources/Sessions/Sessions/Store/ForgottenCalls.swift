/// The calls of a page that have run and whose answers are deleted, in their stored form.
struct ForgottenCalls: Sendable, Hashable, Codable {
  /// The calls of one series of correlation ids.
  struct Series: Sendable, Hashable, Codable {
    /// The prefix of the ids.
    let prefix: String
    /// The number up to which all calls have run, except ``unanswered``.
    let through: Int
    /// The calls up to ``through`` that had no answer yet.
    let unanswered: [Int]
  }

  /// The series with deleted answers.
  var series: [Series] = []
}
