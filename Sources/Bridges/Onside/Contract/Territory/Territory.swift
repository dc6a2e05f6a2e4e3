/// A country or territory that can be a storefront: ISO 3166-1 codes, currency and official languages.
public struct Territory: Sendable, Hashable {
  /// ISO 3166-1 alpha-2, such as `NL`. Kosovo has the user-assigned `XK`, as in the App Store.
  public let alpha2: String
  /// ISO 3166-1 alpha-3, such as `NLD`: what a `.storekit` file's `_storefront` holds.
  public let alpha3: String
  /// The ISO 4217 code of its currency, such as `EUR`.
  public let currencyCode: String
  /// ISO 639 codes of up to three official languages, most spoken first.
  public let languages: [String]

  /// Every territory, by alpha-2 code.
  public static let all: [Territory] = territoryTable.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    .compactMap { row in
      let columns = row.split(separator: UInt8(ascii: ":"))
      guard columns.count == 4 else { return nil }
      return Territory(
        alpha2: text(columns[0]), alpha3: text(columns[1]), currencyCode: text(columns[2]),
        languages: columns[3].split(separator: UInt8(ascii: ",")).map(text))
    }

  private static func text(_ column: Substring.UTF8View) -> String { String(Substring(column)) }

  private static let byCode: [String: Territory] = Dictionary(
    all.flatMap { [($0.alpha2, $0), ($0.alpha3, $0)] }, uniquingKeysWith: { first, _ in first })

  /// Finds the territory with this alpha-2 or alpha-3 code, in either case. Nil if there is none.
  public init?(code: String) {
    guard code.utf8.count <= 3, code.allSatisfy(\.isASCII), let territory = Territory.byCode[code.uppercased()] else {
      return nil
    }
    self = territory
  }

  fileprivate init(alpha2: String, alpha3: String, currencyCode: String, languages: [String]) {
    self.alpha2 = alpha2
    self.alpha3 = alpha3
    self.currencyCode = currencyCode
    self.languages = languages
  }
}

extension Territory {
  /// The default storefront.
  static let unitedStates = Territory(alpha2: "US", alpha3: "USA", currencyCode: "USD", languages: ["en"])
}

/// ISO 3166-1 alpha-2 and alpha-3, the ISO 4217 code of the currency in use in 2026, official languages. Facts from ISO and Unicode CLDR.
let territoryTable = """
  AD:AND:EUR:ca AE:ARE:AED:ar AF:AFG:AFN:fa,ps AG:ATG:XCD:en AI:AIA:XCD:en AL:ALB:ALL:sq AM:ARM:AMD:hy AO:AGO:AOA:pt
  AQ:ATA:USD:en AR:ARG:ARS:es AS:ASM:USD:sm,en AT:AUT:EUR:de AU:AUS:AUD:en AW:ABW:AWG:nl,pap AX:ALA:EUR:sv
  AZ:AZE:AZN:az BA:BIH:BAM:bs,hr,sr BB:BRB:BBD:en BD:BGD:BDT:bn BE:BEL:EUR:nl,fr,de BF:BFA:XOF:fr BG:BGR:EUR:bg
  BH:BHR:BHD:ar BI:BDI:BIF:rn,fr,en BJ:BEN:XOF:fr BL:BLM:EUR:fr BM:BMU:BMD:en BN:BRN:BND:ms BO:BOL:BOB:es,qu,ay
  BQ:BES:USD:nl BR:BRA:BRL:pt BS:BHS:BSD:en BT:BTN:BTN:dz BV:BVT:NOK:no BW:BWA:BWP:en,tn BY:BLR:BYN:be,ru
  BZ:BLZ:BZD:en CA:CAN:CAD:en,fr CC:CCK:AUD:en CD:COD:CDF:fr CF:CAF:XAF:sg,fr CG:COG:XAF:fr CH:CHE:CHF:de,fr,it
  CI:CIV:XOF:fr CK:COK:NZD:en CL:CHL:CLP:es CM:CMR:XAF:fr,en CN:CHN:CNY:zh CO:COL:COP:es CR:CRI:CRC:es CU:CUB:CUP:es
  CV:CPV:CVE:pt CW:CUW:XCG:pap,nl CX:CXR:AUD:en CY:CYP:EUR:el,tr CZ:CZE:CZK:cs DE:DEU:EUR:de DJ:DJI:DJF:fr,ar
  DK:DNK:DKK:da DM:DMA:XCD:en DO:DOM:DOP:es DZ:DZA:DZD:ar,fr EC:ECU:USD:es,qu EE:EST:EUR:et EG:EGY:EGP:ar
  EH:ESH:MAD:ar ER:ERI:ERN:ti,en,ar ES:ESP:EUR:es ET:ETH:ETB:am FI:FIN:EUR:fi,sv FJ:FJI:FJD:en,hif,fj FK:FLK:FKP:en
  FM:FSM:USD:en FO:FRO:DKK:fo FR:FRA:EUR:fr GA:GAB:XAF:fr GB:GBR:GBP:en GD:GRD:XCD:en GE:GEO:GEL:ka GF:GUF:EUR:fr
  GG:GGY:GBP:en GH:GHA:GHS:en GI:GIB:GIP:en GL:GRL:DKK:kl GM:GMB:GMD:en GN:GIN:GNF:fr GP:GLP:EUR:fr
  GQ:GNQ:XAF:es,fr,pt GR:GRC:EUR:el GS:SGS:GBP:en GT:GTM:GTQ:es GU:GUM:USD:en,ch GW:GNB:XOF:pt GY:GUY:GYD:en
  HK:HKG:HKD:zh,en HM:HMD:AUD:en HN:HND:HNL:es HR:HRV:EUR:hr HT:HTI:HTG:ht,fr HU:HUN:HUF:hu ID:IDN:IDR:id
  IE:IRL:EUR:en,ga IL:ISR:ILS:he,ar IM:IMN:GBP:en,gv IN:IND:INR:hi,en IO:IOT:USD:en IQ:IRQ:IQD:ar IR:IRN:IRR:fa
  IS:ISL:ISK:is IT:ITA:EUR:it JE:JEY:GBP:en JM:JAM:JMD:en JO:JOR:JOD:ar JP:JPN:JPY:ja KE:KEN:KES:sw,en
  KG:KGZ:KGS:ky,ru KH:KHM:KHR:km KI:KIR:AUD:en,gil KM:COM:KMF:ar,zdj,wni KN:KNA:XCD:en KP:PRK:KPW:ko KR:KOR:KRW:ko
  KW:KWT:KWD:ar KY:CYM:KYD:en KZ:KAZ:KZT:ru,kk LA:LAO:LAK:lo LB:LBN:LBP:ar LC:LCA:XCD:en LI:LIE:CHF:de,gsw
  LK:LKA:LKR:si,ta LR:LBR:LRD:en LS:LSO:LSL:st,en LT:LTU:EUR:lt LU:LUX:EUR:fr,lb,de LV:LVA:EUR:lv LY:LBY:LYD:ar
  MA:MAR:MAD:ar,fr,tzm MC:MCO:EUR:fr MD:MDA:MDL:ro ME:MNE:EUR:sr MF:MAF:EUR:fr MG:MDG:MGA:mg,fr,en MH:MHL:USD:en,mh
  MK:MKD:MKD:mk ML:MLI:XOF:fr MM:MMR:MMK:my MN:MNG:MNT:mn MO:MAC:MOP:zh,yue,pt MP:MNP:USD:en MQ:MTQ:EUR:fr
  MR:MRT:MRU:ar MS:MSR:XCD:en MT:MLT:EUR:mt,en MU:MUS:MUR:fr,en MV:MDV:MVR:dv MW:MWI:MWK:ny,en MX:MEX:MXN:es
  MY:MYS:MYR:ms MZ:MOZ:MZN:pt NA:NAM:NAD:en NC:NCL:XPF:fr NE:NER:XOF:fr NF:NFK:AUD:en NG:NGA:NGN:en,yo NI:NIC:NIO:es
  NL:NLD:EUR:nl NO:NOR:NOK:no,nb,nn NP:NPL:NPR:ne NR:NRU:AUD:en,na NU:NIU:NZD:niu,en NZ:NZL:NZD:en,mi OM:OMN:OMR:ar
  PA:PAN:PAB:es PE:PER:PEN:es,qu PF:PYF:XPF:fr,ty PG:PNG:PGK:tpi,en,ho PH:PHL:PHP:en,fil PK:PAK:PKR:ur,en
  PL:POL:PLN:pl PM:SPM:EUR:fr PN:PCN:NZD:en PR:PRI:USD:es,en PS:PSE:ILS:ar PT:PRT:EUR:pt PW:PLW:USD:pau,en
  PY:PRY:PYG:gn,es QA:QAT:QAR:ar RE:REU:EUR:fr RO:ROU:RON:ro RS:SRB:RSD:sr RU:RUS:RUB:ru RW:RWA:RWF:rw,en,fr
  SA:SAU:SAR:ar SB:SLB:SBD:en SC:SYC:SCR:fr,en SD:SDN:SDG:en,ar SE:SWE:SEK:sv SG:SGP:SGD:en,zh,ms SH:SHN:SHP:en
  SI:SVN:EUR:sl SJ:SJM:NOK:nb SK:SVK:EUR:sk SL:SLE:SLE:en SM:SMR:EUR:it SN:SEN:XOF:wo,fr SO:SOM:SOS:so,ar
  SR:SUR:SRD:nl SS:SSD:SSP:en ST:STP:STN:pt SV:SLV:USD:es SX:SXM:XCG:en,nl SY:SYR:SYP:ar SZ:SWZ:SZL:en,ss
  TC:TCA:USD:en TD:TCD:XAF:ar,fr TF:ATF:EUR:fr TG:TGO:XOF:fr TH:THA:THB:th TJ:TJK:TJS:tg TK:TKL:NZD:tkl,en
  TL:TLS:USD:tet,pt TM:TKM:TMT:tk TN:TUN:TND:ar,fr TO:TON:TOP:to,en TR:TUR:TRY:tr TT:TTO:TTD:en TV:TUV:AUD:tvl,en
  TW:TWN:TWD:zh,nan,hak TZ:TZA:TZS:sw,en UA:UKR:UAH:uk,ru UG:UGA:UGX:sw,en UM:UMI:USD:en US:USA:USD:en UY:URY:UYU:es
  UZ:UZB:UZS:uz VA:VAT:EUR:it VC:VCT:XCD:en VE:VEN:VES:es VG:VGB:USD:en VI:VIR:USD:en VN:VNM:VND:vi
  VU:VUT:VUV:bi,en,fr WF:WLF:XPF:fr WS:WSM:WST:sm,en XK:XKX:EUR:sq,sr YE:YEM:YER:ar YT:MYT:EUR:fr ZA:ZAF:ZAR:en
  ZM:ZMB:ZMW:en ZW:ZWE:USD:sn,en,nd
  """

/// ISO 4217 facts that prices need.
public enum Currency {
  private static let withoutMinorUnit: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  private static let withThousandths: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
  private static let withTenThousandths: Set<String> = ["CLF", "UYW"]

  /// The number of decimal digits of the currency's minor unit: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`; 2 for an unknown code.
  public static func exponent(of currencyCode: String) -> Int {
    if withoutMinorUnit.contains(currencyCode) { return 0 }
    if withThousandths.contains(currencyCode) { return 3 }
    return withTenThousandths.contains(currencyCode) ? 4 : 2
  }

  /// Whether `code` has the form of an ISO 4217 code: three capital letters.
  public static func isWellFormed(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}
