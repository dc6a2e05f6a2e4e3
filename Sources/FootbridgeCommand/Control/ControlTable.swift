import ControlClient
import Footbridge

/// The operations of the control API and their words, as this program has them embedded.
struct ControlTable {
  let operations: OperationTable
  let words: OperationWords

  /// Reads the embedded document. Throws ``Failure`` if the program was built without it.
  init() throws {
    do throws(OperationTable.Defect) {
      operations = try OperationTable(describedBy: DescriptionRoutes.document)
    } catch {
      throw Failure.software("The description of the control API is broken: \(error.description)")
    }
    words = OperationWords(operations)
  }
}
