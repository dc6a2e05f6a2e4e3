/// An error in the arguments of an operation.
package struct ArgumentProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and how to correct it, in sentences.
  package let description: String

  package init(_ description: String) { self.description = description }
}
