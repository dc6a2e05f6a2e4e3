import CookieJar
import Testing

@Suite struct SetCookieTests {
  /// What a browser would send back after each header.
  @Test(arguments: [
    ("a=b", "a=b"), ("a=b;", "a=b"), ("a=b; ", "a=b"), ("a=b;;;;", "a=b"), (" a = b ", "a=b"), ("\ta\t=\tb\t", "a=b"),
    ("a=b c", "a=b c"), ("a b=c", "a b=c"), ("a=\tb\tc\t", "a=b\tc"), ("a=b=c", "a=b=c"), ("a==b", "a==b"),
    ("a=", "a="), ("a=;", "a="), ("a= ;Path=/", "a="), ("a", "a"), ("a;", "a"), ("=a", "a"), ("=a=b", "a=b"),
    (" =b", "b"), ("a\u{a0}=b", "a\u{a0}=b"), ("==", "="), ("a=\"b\"", "a=\"b\""), ("a=\"b;c\"", "a=\"b"),
    ("a=\"b\"c\"", "a=\"b\"c\""), ("a=b,c=d", "a=b,c=d"), ("a=b, c=d; Path=/", "a=b, c=d"), ("a,b=c", "a,b=c"),
    ("\"a\"=b", "\"a\"=b"), ("\"a=b\"", "\"a=b\""), ("a=%20%3B", "a=%20%3B"), ("a=b\\;c", "a=b\\"), ("A=B", "A=B"),
    ("$Version=1", "$Version=1"), ("a=春节", "a=春节"), ("春=节", "春=节"), ("a=é", "a=é"), ("a={\"b\":1}", "a={\"b\":1}"),
    ("Expires=b", "Expires=b"), ("Secure", "Secure"), ("Path=/x", "Path=/x"), ("a=b;c=d", "a=b"),
    ("a=b; c; d=e; =f", "a=b"),
    ("a=b; Domain", "a=b"), ("a=b; Path", "a=b"), ("a=b; Max-Age", "a=b"), ("a=b; Expires", "a=b"),
    ("a=b; SameSite", "a=b"),
    ("a=b; version=1; comment=x; port=80", "a=b"), ("\u{301}=\u{301}", "\u{301}=\u{301}"), ("a=\u{301}b", "a=\u{301}b"),
    ("a\u{301};c", "a\u{301}"), ("👩‍👩‍👧=👩‍👩‍👧", "👩‍👩‍👧=👩‍👩‍👧"), ("a=b;\u{301}Secure", "a=b"), ("a=<b>'\"&", "a=<b>'\"&"),
    ("a=!#$%&()*+/:<>?@[]^`|~", "a=!#$%&()*+/:<>?@[]^`|~"),
  ])
  func `name and value are the trimmed texts around the first equals sign`(_ header: String, _ expected: String) throws
  {
    let test = TestJar()
    #expect(try test.set(header) == [.stored])
    #expect(try test.header() == expected)
  }

  @Test(arguments: ["", ";", " ", "\t", "=", " = ", "=;a=b", ";a=b", "; Path=/", "= ; Secure"])
  func `a header without name and value is refused`(_ header: String) throws {
    #expect(try TestJar().set(header) == [.refused(.empty)])
  }

  @Test(arguments: (UInt8(0)...0x1F).filter { $0 != 9 } + [0x7F])
  func `a control character anywhere refuses the cookie`(_ byte: UInt8) throws {
    let control = String(UnicodeScalar(byte))
    for header in [
      "a\(control)=b", "a=b\(control)c", "a=b\(control)", "\(control)a=b", "a=b; Path=/\(control)", "a=b; \(control)",
    ] {
      #expect(try TestJar().set(header) == [.refused(.controlCharacter)])
    }
  }

  @Test func `a tab is allowed in a name and a value`() throws {
    let test = TestJar()
    try test.set("a\tb=c\td;\tPath=/;\tHttpOnly\t")
    #expect(try test.header() == "a\tb=c\td")
  }

  @Test(arguments: [(0, 4096), (1, 4095), (4096, 0), (2048, 2048)])
  func `name and value may have 4096 bytes together`(_ name: Int, _ value: Int) throws {
    let name = String(repeating: "n", count: name)
    let value = String(repeating: "v", count: value)
    #expect(try TestJar().set("\(name)=\(value); Path=/") == [.stored])
    #expect(try TestJar().set("\(name)=\(value)x; Path=/") == [.refused(.tooLong)])
    #expect(try TestJar().set("x\(name)=\(value); Path=/") == [.refused(.tooLong)])
  }

  @Test func `the limit counts bytes of name and value, not attributes or blanks`() throws {
    #expect(try TestJar().set("a=\(String(repeating: "é", count: 2047))") == [.stored])
    #expect(try TestJar().set("a=\(String(repeating: "é", count: 2048))") == [.refused(.tooLong)])
    let blanks = String(repeating: " ", count: 5000)
    #expect(try TestJar().set("a\(blanks)=\(blanks)b; x=\(String(repeating: "y", count: 9000))") == [.stored])
  }

  @Test func `an attribute of more than 1024 bytes is ignored`() throws {
    let path = "/" + String(repeating: "p", count: 1023)
    #expect(try SetCookie(parsing: "a=b; Path=\(path)").path == path)
    #expect(try SetCookie(parsing: "a=b; Path=\(path)p").path == nil)
    #expect(try SetCookie(parsing: "a=b; Path=/x; Path=\(path)p").path == "/x")
    #expect(try SetCookie(parsing: "a=b; Path=\(path)p").hasPath == false)
    let domain = String(repeating: "d", count: 1024)
    #expect(try SetCookie(parsing: "a=b; Domain=\(domain)").domain == domain)
    #expect(try SetCookie(parsing: "a=b; Domain=\(domain)d").domain == nil)
    #expect(try SetCookie(parsing: "a=b; Secure=\(domain)d").isSecure == false)
    #expect(try SetCookie(parsing: "a=b; Max-Age=1; Max-Age=\(String(repeating: "2", count: 1025))").maxAge == 1)
  }

  @Test(arguments: [
    ("Secure", true), ("secure", true), ("SECURE", true), ("Secure=", true), ("Secure=false", true),
    ("  secure  ", true),
    ("Secure;Secure", true), ("Secured", false), ("Sec ure", false), ("\"Secure\"", false), ("=Secure", false),
    ("x=Secure", false),
  ])
  func `the value of Secure is ignored`(_ attribute: String, _ expected: Bool) throws {
    #expect(try SetCookie(parsing: "a=b; \(attribute)").isSecure == expected)
  }

  @Test(arguments: [
    ("HttpOnly", true), ("httponly", true), ("HTTPONLY=0", true), ("HttpOnly ", true), ("Http-Only", false),
    ("HttpOnlyx", false),
  ])
  func `the value of HttpOnly is ignored`(_ attribute: String, _ expected: Bool) throws {
    #expect(try SetCookie(parsing: "a=b; \(attribute)").isHTTPOnly == expected)
  }

  @Test(arguments: [
    ("SameSite=None", SameSite.none), ("samesite=LAX", .lax), ("SameSite=strict", .strict), ("SameSite", .unspecified),
    ("SameSite=", .unspecified), ("SameSite=x", .unspecified), ("SameSite=Laxer", .unspecified),
    ("SameSite = Lax ", .lax),
    ("SameSite=\"Lax\"", .unspecified), ("SameSite=None; SameSite=Strict", .strict),
    ("SameSite=Lax; SameSite=x", .unspecified),
    ("SameSite=Strict; SameSite", .unspecified),
  ])
  func `the last SameSite attribute counts, and an unknown value is ignored`(_ attribute: String, _ expected: SameSite)
    throws
  {
    #expect(try SetCookie(parsing: "a=b; \(attribute)").sameSite == expected)
  }

  @Test(arguments: [
    ("1", 1), ("0", 0), ("-1", -1), ("007", 7), ("-0", 0), (" 5 ", 5), ("99999999999999999999", Int.max),
    ("-99999999999999999999", -Int.max), ("9223372036854775807", Int.max), ("1; Max-Age=2", 2), ("1; Max-Age=x", 1),
    ("1; Max-Age=", 1), ("1; MAX-AGE=3", 3),
  ])
  func `the last Max-Age that is a number counts`(_ text: String, _ expected: Int) throws {
    #expect(try SetCookie(parsing: "a=b; Max-Age=\(text)").maxAge == expected)
  }

  @Test(arguments: ["", "+1", "-", "--1", "1.5", "1e3", "0x10", "\"1\"", "1 0", "1,0", "x", "1s", "٣", "-1-"])
  func `a Max-Age that is not a number is ignored`(_ text: String) throws {
    #expect(try SetCookie(parsing: "a=b; Max-Age=\(text)").maxAge == nil)
  }

  @Test(arguments: [
    ("Path=/x", "/x"), ("path=/x", "/x"), ("Path = /x ", "/x"), ("Path=/x y", "/x y"), ("Path=/%20", "/%20"),
    ("Path=/x?y#z", "/x?y#z"), ("Path=/a/../b", "/a/../b"), ("Path=//", "//"), ("Path=/a; Path=/b", "/b"),
    ("Path=/ä", "/ä"),
  ])
  func `the last Path counts, as it is written`(_ attribute: String, _ expected: String) throws {
    #expect(try SetCookie(parsing: "a=b; \(attribute)").path == expected)
  }

  @Test(arguments: [
    "Path", "Path=", "Path=x", "Path=\"/x\"", "Path=%2F", "Path=/x; Path=", "Path=/x; Path=y", "Path=\\",
  ])
  func `a Path that does not begin with a slash means the default path`(_ attribute: String) throws {
    let cookie = try SetCookie(parsing: "a=b; \(attribute)")
    #expect(cookie.path == nil)
    #expect(cookie.hasPath)
  }

  @Test func `a header prints without its value`() throws {
    let header = try SetCookie(parsing: "name=hush-hush; HttpOnly")
    var dumped = ""
    dump(header, to: &dumped)
    for text in ["\(header)", String(reflecting: header), dumped, "\([header])"] {
      #expect(text.contains("name"))
      #expect(!text.contains("hush-hush"))
    }
  }
}
