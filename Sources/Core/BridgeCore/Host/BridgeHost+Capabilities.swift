extension BridgeHost {
  /// The latest answer to `capability.query` of any host.
  private static var latestCapabilityAnswer: [UInt8] = []

  /// Registers a handler. Replaces the handler of the same action.
  public func register(handler: any BridgeCapabilityHandler) {
    handlers[handler.action] = RegisteredHandler(handler)
  }

  /// Registers a handler that answers at once. Replaces the handler of the same action.
  public func register(answering handler: any AnsweringCapabilityHandler) {
    handlers[handler.action] = .answering(handler)
  }

  /// Registers a family, which handles many actions, after the families that are already registered. The first family that accepts a request
  /// handles it. A handler that is registered for the request's action takes precedence over all families. Not in the reference.
  public func register(family: any BridgeHandlerFamily) {
    if !families.contains(where: { $0 === family }) { families.append(family) }
  }

  /// Removes a family.
  public func unregister(family: any BridgeHandlerFamily) {
    families.removeAll { $0 === family }
  }

  /// Removes the handler of `action`; present families do not handle it any more either. From now on, its requests wait in
  /// ``pendingRequests``, unless a capture slot or a custom capability handles them.
  public func unregister(action: String) {
    handlers[action] = nil
    if !families.isEmpty || !servedFamilies.isEmpty { familyExceptions.insert(action) }
  }

  /// Registers a capability without a typed slot. It appears in the answer to `capability.query`, and `handler` handles its requests.
  ///
  /// A slot with a handler takes precedence: in the answer over a custom capability with the slot's id or action, for requests over one with
  /// the slot's action. A handler that ``register(handler:)`` has set for the same action takes precedence for requests as well.
  ///
  /// - Parameters:
  ///   - id: The capability's id, which is also the action of its requests, such as `nfc.read`.
  ///   - version: The version in the answer to `capability.query`; `1.0` by default.
  ///   - handler: Called in a task for each request.
  public func registerCustomCapability(
    _ id: String,
    version: String? = nil,
    handler: @escaping @Sendable (BridgeMessage, any BridgeResponder) async -> Void
  ) {
    let info = BridgeCapabilityInfo(supported: true, version: version ?? "1.0")
    let handler = CustomCapabilityHandler(action: id, body: handler)
    customCapabilities[id] = CustomCapability(info: info, handler: RegisteredHandler(handler))
  }

  /// Sets the description of a custom capability in the answer to `capability.query`. The handler of its requests stays.
  func declareCapability(_ id: String, _ info: BridgeCapabilityInfo) {
    customCapabilities[id] = CustomCapability(info: info, handler: customCapabilities[id]?.handler)
  }

  /// Makes `handler` the only handler of `action`, until another one is registered for it. With nil, its requests wait in
  /// ``pendingRequests``. The answer to `capability.query` does not change.
  func replaceHandler(of action: String, with handler: (any BridgeCapabilityHandler)?) {
    unregister(action: action)
    customCapabilities[action] = CustomCapability(
      info: customCapabilities[action]?.info, handler: handler.map { RegisteredHandler($0) })
  }

  /// Whether the slots have been made.
  package var hasSlots: Bool { madeSlots != nil }

  /// The slots, made when they are first needed.
  package var slots: [CaptureCapability] { [documentCapture, selfieCapture] }

  /// The slots, as ``slots`` has them, but by name.
  var capture: CaptureSlots {
    if let madeSlots { return madeSlots }
    let slots = CaptureSlots()
    for slot in [slots.document, slots.selfie] {
      slot.onDeclarationChange = { [weak self] in self?.capabilityAnswer = nil }
    }
    madeSlots = slots
    prepareSlots?(self)
    prepareSlots = nil
    return slots
  }

  /// The JSON text of the answer to `capability.query`. The host keeps it until something changes, and shares its memory with hosts that have
  /// the same answer.
  func cachedCapabilityAnswer(_ capabilities: (BridgeHost) -> [String: BridgeCapabilityInfo]) -> [UInt8] {
    if let capabilityAnswer { return capabilityAnswer }
    let answer = CapabilityQueryHandler.answer(capabilities(self), hostVersion: configuration.hostVersion)
    if Self.latestCapabilityAnswer != answer { Self.latestCapabilityAnswer = answer }
    capabilityAnswer = Self.latestCapabilityAnswer
    return Self.latestCapabilityAnswer
  }

  /// The host's present capabilities: its slots and its custom ones. A custom capability replaces a slot without a handler.
  var currentCapabilities: [String: BridgeCapabilityInfo] {
    var capabilities = customCapabilities.compactMapValues(\.info)
    for slot in slots {
      if slot.handler != nil {
        capabilities[slot.actionId] = nil
      } else if capabilities[slot.id] != nil {
        continue
      }
      capabilities[slot.id] = slot.buildCapabilityInfo()
    }
    return capabilities
  }
}
