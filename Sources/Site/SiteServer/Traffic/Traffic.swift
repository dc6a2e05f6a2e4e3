import BridgeCore
package import BridgeRuntime
import BridgeServer
import Essentials
import HTTP1
import HTTPTypes
package import Logging
package import WebServer

/// Writes the traffic of the server to the access log (`--access-log`) and to a HAR file (`--har`).
@BridgeActor
package final class Traffic {
  /// Bodies up to this size are part of a HAR file, in bytes.
  nonisolated static let bodyByteLimit = 1 << 20
  /// The maximum total size of the bodies of requests in progress that are noted for a HAR file, in bytes. Others are left out.
  nonisolated static let notedByteLimit = 32 << 20
  /// The maximum total size of the bodies in a HAR file, in bytes. It takes no entries after that.
  nonisolated static let fileByteLimit = 1 << 30

  private let accessLog: BackgroundFile?
  private let archive: BackgroundFile?
  private let clock: any BridgeClock
  private let logger: Logger
  private var archivedByteCount = 0
  /// How many bytes of bodies the requests in progress have noted.
  private var notedByteCount = 0

  /// Opens the files; nil if there are none.
  ///
  /// - Throws: ``SiteError/fileNotWritable(_:path:reason:)``.
  package init?(_ options: TrafficOptions, clock: any BridgeClock, logger: Logger) throws(SiteError) {
    guard options.accessLog != nil || options.har != nil else { return nil }
    func onLoss(of name: String) -> (String) -> Void {
      { logger.warning("Entries of the \(name) are lost: \($0).") }
    }
    if let path = options.accessLog {
      accessLog = try BackgroundFile(path, .append, option: "--access-log", onLoss: onLoss(of: "access log"))
    } else {
      accessLog = nil
    }
    if let path = options.har {
      let mode = BackgroundFile.Mode.replace(head: Self.head, tail: Array("]}}\n".utf8))
      archive = try BackgroundFile(path, mode, option: "--har", onLoss: onLoss(of: "HAR file"))
    } else {
      archive = nil
    }
    self.clock = clock
    self.logger = logger
  }

  /// The beginning of a HAR file, up to its first entry.
  private static let head: [UInt8] = {
    let creator: JSONValue = ["name": "Footbridge", "version": .string(FootbridgeVersion.current)]
    return Array("{\"log\":{\"version\":\"1.2\",\"creator\":\(creator.jsonText),\"pages\":[],\"entries\":[\n".utf8)
  }()

  /// Observes an exchange, and writes it down when it is over.
  package func observe(_ exchange: HTTPExchange) {
    exchange.observer = TrafficObserver(
      exchange, self, bodyByteLimit: archive == nil ? 0 : Self.bodyByteLimit, clock.now)
  }

  /// Returns when everything is on the disk.
  package func finish() async {
    await accessLog?.finish()
    await archive?.finish()
  }

  /// Notes a piece of a body, unless requests in progress have noted too much.
  fileprivate func note(_ piece: [UInt8], in body: inout SeenExchange.Body, limit: Int) {
    let former = body.bytes.count
    body.add(piece, limit: notedByteCount + piece.count <= Self.notedByteLimit ? limit : 0)
    notedByteCount += body.bytes.count - former
  }

  /// Writes down an exchange that is over.
  fileprivate func write(_ seen: SeenExchange) {
    notedByteCount -= seen.requestBody.bytes.count + seen.responseBody.bytes.count
    accessLog?.add(byteCount: 512) { AccessLogLine(seen).bytes }
    // Our own routes are not traffic of the site. Requests inside of a tunnel are observed one by one, or not at all.
    guard let archive, seen.head.method != .connect, seen.head.target.path.map({ !OwnPath.contains($0) }) ?? false,
      archivedByteCount < Self.fileByteLimit
    else { return }
    let byteCount = 4096 + seen.requestBody.bytes.count + seen.responseBody.bytes.count
    archivedByteCount += byteCount
    if archivedByteCount >= Self.fileByteLimit {
      logger.warning("The HAR file is full, with \(Self.fileByteLimit >> 20) MiB. It gets no further entries.")
    }
    archive.add(byteCount: byteCount) { HAREntry(seen).bytes }
  }
}

/// Notes one exchange.
@BridgeActor
private final class TrafficObserver: ExchangeObserver {
  private let traffic: Traffic
  private let bodyByteLimit: Int
  private let start = ContinuousClock.now
  private var seen: SeenExchange

  init(_ exchange: HTTPExchange, _ traffic: Traffic, bodyByteLimit: Int, _ now: BridgeInstant) {
    (self.traffic, self.bodyByteLimit) = (traffic, bodyByteLimit)
    seen = SeenExchange(
      head: exchange.head, protocolName: exchange.protocolName, peerAddress: exchange.peerAddress,
      isForwarded: exchange.tunnel != nil, start: now)
    note(exchange)
  }

  /// A proxy in front may have passed the request on. Its client is known only later.
  private func note(_ exchange: HTTPExchange) {
    seen.head = exchange.head
    seen.origin = exchange.head.host.map { (exchange.isSecure ? "https://" : "http://") + $0 }
    seen.peerAddress = exchange.peerAddress ?? seen.peerAddress
  }

  func received(_ bytes: [UInt8]) { traffic.note(bytes, in: &seen.requestBody, limit: bodyByteLimit) }

  func began(_ exchange: HTTPExchange, _ status: HTTPResponse.Status, _ fields: HTTPFields) {
    note(exchange)
    (seen.status, seen.fields) = (status, fields)
    seen.waitTime = (ContinuousClock.now - start).milliseconds
  }

  func sent(_ bytes: [UInt8]) { traffic.note(bytes, in: &seen.responseBody, limit: bodyByteLimit) }

  func ended(_ exchange: HTTPExchange, isComplete: Bool) {
    seen.duration = (ContinuousClock.now - start).milliseconds
    seen.isComplete = isComplete
    traffic.write(seen)
  }
}
