/// The calls of a page that have run and whose answers are deleted, in their stored form.
package struct EvictedCalls: Sendable, Hashable, Codable {
  /// The calls of one series of correlation ids.
  package struct Series: Sendable, Hashable, Codable {
    /// The prefix of the ids.
    package let prefix: String
    /// The number up to which all calls have run, except ``unanswered``.
    package let through: Int
    /// The calls up to ``through`` that had no answer yet.
    package let unanswered: [Int]

    package init(prefix: String, through: Int, unanswered: [Int]) {
      (self.prefix, self.through, self.unanswered) = (prefix, through, unanswered)
    }
  }

  /// The series with deleted answers.
  package var series: [Series]

  package init(series: [Series] = []) {
    self.series = series
  }
}
