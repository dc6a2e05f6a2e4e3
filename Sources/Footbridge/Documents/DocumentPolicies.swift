import BridgeRuntime
import HTMLInjection
import HTTP1
import HTTPTypes

/// Lets the shim through the policies in the fields of a document.
struct DocumentPolicies {
  /// The nonce of the shim's script element; nil if there is no policy.
  private(set) var nonce: String?
  /// Whether an `Integrity-Policy` was removed.
  private(set) var hasRemovedIntegrity = false
  /// Whether a `Permissions-Policy` was changed.
  private(set) var hasMendedPermissions = false

  /// Changes the fields of a document that the browser knows by this scheme, host and port.
  init(mending fields: inout HTTPFields, isSecure: Bool, authority: Authority?, random: BridgeRandom) {
    let count = fields.count
    fields = HTTPFields(inOrder: fields.filter { !HTTPField.Name.integrityPolicies.contains($0.name) })
    hasRemovedIntegrity = fields.count < count
    for index in fields.indices where fields[index].name == .permissionsPolicy {
      let mended = PermissionsPolicy.mend(fields[index].value)
      if mended == fields[index].value { continue }
      fields[index] = HTTPField(name: .permissionsPolicy, value: mended)
      hasMendedPermissions = true
    }
    let names: [HTTPField.Name] = [.contentSecurityPolicy, .contentSecurityPolicyReportOnly]
    guard fields.contains(where: { names.contains($0.name) }), let authority else { return }
    let policy = ContentSecurityPolicy(nonce: random.token(), isSecure: isSecure, authority: authority)
    for index in fields.indices where names.contains(fields[index].name) {
      fields[index] = HTTPField(name: fields[index].name, value: policy.mend(fields[index].value))
    }
    nonce = policy.nonce
  }
}
