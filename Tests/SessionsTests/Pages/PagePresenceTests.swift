import Testing

@testable import Sessions

@Suite struct PagePresenceTests {
  @Test func `greeted returns true for a page's first hello only`() {
    var presence = PagePresence(isKnown: false)
    #expect(!presence.hasGreeted && !presence.isKnown)
    let (first, second) = (presence.greeted(isEmbedded: false), presence.greeted(isEmbedded: false))
    #expect(first && !second)
    #expect(presence.hasGreeted && presence.isKnown)
  }

  @Test func `greeted returns false for a page that an earlier run knew`() {
    var presence = PagePresence(isKnown: true)
    let isFirst = presence.greeted(isEmbedded: false)
    #expect(!isFirst)
  }

  @Test func `a new connection has no hello`() {
    var presence = PagePresence(isKnown: false)
    _ = presence.greeted(isEmbedded: false)
    presence.connectionChanged()
    #expect(!presence.hasGreeted && presence.isKnown)
  }

  @Test func `a new connection is not heard`() {
    var presence = PagePresence(isKnown: true)
    presence.heard()
    #expect(presence.isHeard)
    presence.connectionChanged()
    #expect(!presence.isHeard)
  }

  @Test func `a hello brings back a page that has left`() {
    var presence = PagePresence(isKnown: true)
    presence.left()
    #expect(presence.hasLeft)
    _ = presence.greeted(isEmbedded: false)
    #expect(!presence.hasLeft)
  }

  @Test func `each hello sets whether the page is embedded`() {
    var presence = PagePresence(isKnown: false)
    _ = presence.greeted(isEmbedded: true)
    #expect(presence.isEmbedded)
    _ = presence.greeted(isEmbedded: false)
    #expect(!presence.isEmbedded)
  }
}
