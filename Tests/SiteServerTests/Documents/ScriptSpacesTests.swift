import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct ScriptSpacesTests {
  private func removed(_ source: String) -> String {
    String(decoding: ScriptSpaces.removed(from: Array(source.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("const a = (b, c) => b ?? c;\nlet d;\n", "let a=(b,c)=>b??c,d;"),
    ("if (a) {\nreturn b;\n}\nc();", "if(a){return b}c();"),
    ("a\n? b\n: c\nd()\n.e()", "a?b:c\nd().e()"),
    ("f({ a: { b } });\nclass C { d() {}\ne() {} }", "f({a:{b}});class C{d(){}e(){}}"),
    ("typeof a in b; a + +b; a - -b; a + -b", "typeof a in b;a+ +b;a- -b;a+-b"),
  ])
  func `spaces without a meaning are removed, and others are not`(source: String, expected: String) {
    #expect(removed(source) == expected)
  }

  @Test(arguments: [
    #"" a  \" = b ""#, "' a  + b '", "` a\n  = ${ b + `c  = ${ d }` } = \\` e `", #"/ [/ ]  \/ = /.test(a)"#,
  ])
  func `literals are not changed`(literal: String) {
    #expect(removed("f(\(literal)) + 1") == "f(\(literal))+1")
  }

  @Test(arguments: [
    ("const { a } = b;\nfor (const c of d) e;", "let{a}=b;for(let c of d)e;"), ("constant = 1;", "constant=1;"),
    ("f({\na,\nb,\n});", "f({a,b});"), ("() => {\nwhile (a());\n};", "()=>{while(a());};"),
    ("{ if (a) b(c); }", "{if(a)b(c)}"),
    ("let a = () => { b; };\nconst c = 1;\nd();\nlet e;", "let a=()=>{b},c=1;d();let e;"),
    ("for (let a = 0; a < b; a++) c();\nlet d;\n{\nlet e;\n}", "for(let a=0;a<b;a++)c();let d;{let e}"),
    ("a = () =>\nb;", "a=()=>b;"), ("a = (b) => (c, d) => e;\nasync (f) => g(h);", "a=b=>(c,d)=>e;async(f)=>g(h);"),
    ("a = (b.c)?.d ?? (e); f((this), (1).g, new (h)(), [...(i)]);", "a=b.c?.d??e;f(this,(1).g,new(h)(),[...(i)]);"),
    ("f((a) => b, ({ c }) => d, (e = 1) => g);", "f(a=>b,({c})=>d,(e=1)=>g);"),
  ])
  func `needless punctuation is removed, and const becomes let`(source: String, expected: String) {
    #expect(removed(source) == expected)
  }

  @Test func `a division is not taken for a regular expression`() {
    #expect(removed("a / b; c(d) / 2; e[0] / 3; return / x /;") == "a/b;c(d)/2;e[0]/3;return / x /;")
  }

  @Test(arguments: ["\"never", "`never ${", "/never", "("])
  func `an unterminated literal is left as it is`(source: String) {
    #expect(removed("(" + source) == "(" + source)
  }
}
