import Testing

@testable import Delivery

@Suite struct PagePresenceTests {
  @Test func `greeted returns true for a page's first hello only`() {
    var presence = PagePresence(isKnown: false)
    #expect(!presence.hasGreeted && !presence.isKnown)
    let (first, second) = (presence.greeted(), presence.greeted())
    #expect(first && !second)
    #expect(presence.hasGreeted && presence.isKnown)
  }

  @Test func `greeted returns false for a page that an earlier run knew`() {
    var presence = PagePresence(isKnown: true)
    let isFirst = presence.greeted()
    #expect(!isFirst)
  }

  @Test func `a new connection has no hello`() {
    var presence = PagePresence(isKnown: false)
    _ = presence.greeted()
    presence.connected()
    #expect(!presence.hasGreeted && presence.isKnown)
  }

  @Test func `a new connection is not heard`() {
    var presence = PagePresence(isKnown: true)
    presence.heard()
    #expect(presence.isHeard)
    presence.connected()
    #expect(!presence.isHeard)
  }

  @Test func `a hello brings back a page that has left`() {
    var presence = PagePresence(isKnown: true)
    presence.departed()
    #expect(presence.hasDeparted)
    _ = presence.greeted()
    #expect(!presence.hasDeparted)
  }

  @Test func `a page is connected until its connection is lost`() {
    var presence = PagePresence(isKnown: false)
    #expect(!presence.isConnected)
    presence.connected()
    presence.heard()
    #expect(presence.isConnected)
    presence.disconnected()
    #expect(!presence.isConnected && !presence.isHeard)
  }

  @Test func `a page in the page cache is there until it connects again`() {
    var presence = PagePresence(isKnown: true)
    presence.connected()
    presence.cached()
    presence.disconnected()
    #expect(presence.isCached)
    presence.connected()
    #expect(!presence.isCached)
  }

  @Test func `a page is not in the page cache once it is known to be back`() {
    var presence = PagePresence(isKnown: true)
    presence.cached()
    presence.returned()
    #expect(!presence.isCached)
  }
}
