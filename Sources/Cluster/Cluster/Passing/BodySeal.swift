import BridgeRuntime
import BridgeServer
import Cryptography
import HTTP1
import HTTPTypes
import WebServer

/// Binds the body of a request between replicas to its mark: the last bytes of the body are a code of all bytes before them and of the mark's
/// serial. So the body may have any length, and is passed on as it arrives.
enum BodySeal {
  /// The length of the code.
  static let byteCount = SHA256.byteCount

  /// Begins the code of the body that belongs to a mark.
  static func begin(_ authentication: AuthenticationCode, _ serial: MarkSerial) -> RunningCode {
    let code = authentication.begin()
    code.add("body of \(serial)\n".utf8)
    return code
  }

  /// The fields of a request whose body is longer by so many bytes, such as by those of a seal; nil if it would be shorter than nothing.
  static func fields(_ fields: HTTPFields, longerBy count: Int) -> HTTPFields? {
    guard let length = fields[.contentLength].flatMap({ Int($0) }) else { return fields }
    let (changed, isTooLong) = length.addingReportingOverflow(count)
    guard !isTooLong, changed >= 0 else { return nil }
    var result = fields
    result[.contentLength] = String(changed)
    return result
  }
}

/// Takes the seal off a body that another replica has passed on. If the seal is wrong, it answers the request before its reader has the whole
/// body.
@BridgeActor
final class SealedBody: RequestBodyFilter {
  private weak var exchange: HTTPExchange?
  private let code: RunningCode
  /// The last bytes, which may be the seal.
  private var tail: [UInt8] = []

  init(of exchange: HTTPExchange, _ authentication: AuthenticationCode, _ serial: MarkSerial) {
    self.exchange = exchange
    code = BodySeal.begin(authentication, serial)
  }

  func receive(_ piece: [UInt8]) -> [UInt8] {
    tail += piece
    let body = Array(tail.dropLast(BodySeal.byteCount))
    tail.removeFirst(body.count)
    code.add(body)
    return body
  }

  func end() throws {
    if areEqualInConstantTime(code.finish(), tail) { return }
    exchange?.respondText(
      .forbidden,
      "The body of this request is not what the other replica has sent: it was changed on the way. Nothing was done.")
    throw HTTPExchangeError.responseSent
  }
}
