package import Sessions

extension Session {
  /// Waits until all present changes are stored.
  ///
  /// - Parameter outcome: What the request has done if they could not be stored, as a sentence without its end.
  /// - Throws: ``ControlProblem`` if they could not be stored.
  package func waitUntilStored(outcome: String = "The request had no effect") async throws(ControlProblem) {
    do throws(StoreFailure) { try await state.waitUntilStored() } catch { throw .unstored(error, outcome: outcome) }
  }
}
