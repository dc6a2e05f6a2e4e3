import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import OnsideKit

/// Routes of the payment queue.
enum TransactionRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/transactions") { request in
      let queue = try await request.onside().defaultPaymentQueue()
      return .json(["transactions": .array(queue.entries.map { .object($0.members) })])
    },
    ControlRoute(.post, "/sessions/{session}/transactions") { request in
      let session = try await request.bridge(OnsideSession.self)
      let seeded = try await request.body().seededTransaction()
      let contract = session.onside.settings.contract
      try ControlProblem.refusing { () throws(OnsideSettingsError) in try seeded.check(with: contract) }
      let transaction = try seeded.make(in: session)
      return .created(
        .object(transaction.members), location: "/sessions/\(request.parameter("session"))/transactions")
    },
    ControlRoute(.post, "/sessions/{session}/transactions/{transaction}/approve") { request in
      try await resolve(request, "approved") { queue, id in
        queue.approve(id) || queue.resolveInterruption(of: id, successfully: true)
      }
    },
    ControlRoute(.post, "/sessions/{session}/transactions/{transaction}/decline") { request in
      try await resolve(request, "declined") { queue, id in
        queue.decline(id) || queue.resolveInterruption(of: id, successfully: false)
      }
    },
    ControlRoute(.post, "/sessions/{session}/transactions/{transaction}/fail") { request in
      let members = try await request.members(["error"])
      let error = try members["error"]?.choice(OnsidePaymentTransactionError.self) ?? .cancelled
      let contract = try await request.onside().settings.contract
      try ControlProblem.refusing { () throws(OnsideSettingsError) in try contract.check(error.rawValue, of: .payment) }
      return try await resolve(request, "made to fail") { queue, id in queue.fail(id, with: error) }
    },
    ControlRoute(.delete, "/sessions/{session}/transactions/{transaction}") { request in
      try await resolve(request, "deleted") { queue, id in
        queue.discard(id)
        return true
      }
    },
  ]

  @BridgeActor
  private static func resolve(
    _ request: ControlRequest,
    _ what: String,
    _ body: (OnsidePaymentQueue, UUID) -> Bool
  ) async throws -> ControlResponse {
    let queue = try await request.onside().defaultPaymentQueue()
    let text = request.parameter("transaction")
    guard let id = UUID(uuidString: text), queue.transactions.contains(where: { $0.id == id }) else {
      throw ControlProblem.notFound("There is no transaction \(text) in the queue.")
    }
    guard body(queue, id) else {
      throw ControlProblem.conflict("Transaction \(text) cannot be \(what) in its current state.")
    }
    // The decision may have removed it from the queue.
    guard let entry = queue.entries.first(where: { $0.transaction.id == id }) else { return .noContent }
    return .json(.object(entry.members))
  }
}
