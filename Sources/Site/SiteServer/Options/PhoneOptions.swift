package import Sessions

/// The phone that pages are to find.
public struct PhoneOptions: Sendable {
  /// The phone; nil for the browser as it is.
  public var like: Phone?
  /// Whether pages find everything that the browser has, and the linter only reports the use of what the phone lacks.
  public var onlyReports = false

  package init() {}
}

extension ServerOption {
  package static let like = ServerOption(
    "like", .text, "phone",
    help:
      "Hide from pages what the web view of a phone lacks, and report its use: ios-17, ios-18, ios-26 or android."
  )
  package static let likeReportOnly = ServerOption(
    "likeReportOnly", .flag, help: "Hide nothing of what the phone lacks, and only report its use.")
}

/// How the options are read.
extension PhoneOptions {
  package static let options: [ServerOption] = [.like, .likeReportOnly]

  init(_ values: OptionValues) throws(OptionError) {
    like = try values.parsed(.like) { (text) throws(SiteError) in try Phone(text) }
    onlyReports = try values.isSet(.likeReportOnly)
    if onlyReports, like == nil, let (_, source) = values[.likeReportOnly] {
      throw OptionError("\(source) needs a phone. Set it with \(ServerOption.like.flag).")
    }
  }
}
