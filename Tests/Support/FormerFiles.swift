/// Files of a state directory that Footbridge has written before it used OpenSSL for keys and certificates. They were made for tests alone.
enum FormerFiles {
  /// `onside-signing-key.pem`.
  static let signingKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6fUqSy8pupy3CFk1
    G5XZfPsYvNmNW5/05A73rk3/0m+hRANCAATZfFCMxN2E1/cM0TrD3ZRU8MJ9qfcV
    7fFnbryJDPOWemxBo9q0dYCBwznLN5fhcKv3ryJdz/gHioSHBMKclurZ
    -----END PRIVATE KEY-----
    """

  /// `tls-authority.pem`.
  static let authority = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW0LtQGQkvEGIO3Kv
    w5xnc8GTE1N5RkHSWopncpnbvpihRANCAASLSxliStRHPlllTdEEMCr9yOs1J9aP
    2KKIYa6zyDVXFg9PCJEcCKk8gFyxOZxzrQfgpC+8vuKHc+v7kT2H99iV
    -----END PRIVATE KEY-----
    -----BEGIN CERTIFICATE-----
    MIIB8zCCAZmgAwIBAgIVAOk4Nw+rW0MjLQCaDm8agWJt4gAwMAoGCCqGSM49BAMC
    MC4xLDAqBgNVBAMMI0Zvb3RicmlkZ2UgbG9jYWwgYXV0aG9yaXR5IDFiZDY1MTlh
    MB4XDTI2MTEyMzA2NDY0NFoXDTM2MTEyMDA3NDY0NFowLjEsMCoGA1UEAwwjRm9v
    dGJyaWRnZSBsb2NhbCBhdXRob3JpdHkgMWJkNjUxOWEwWTATBgcqhkjOPQIBBggq
    hkjOPQMBBwNCAASLSxliStRHPlllTdEEMCr9yOs1J9aP2KKIYa6zyDVXFg9PCJEc
    CKk8gFyxOZxzrQfgpC+8vuKHc+v7kT2H99iVo4GTMIGQMBIGA1UdEwEB/wQIMAYB
    Af8CAQAwDgYDVR0PAQH/BAQDAgEGMEsGA1UdHgEB/wRBMD+gPTALgglsb2NhbGhv
    c3QwIocgAAAAAAAAAAAAAAAAAAAAAf////////////////////8wCocIfwAAAP8A
    AAAwHQYDVR0OBBYEFFx0dF84YgF/FgQ3VCrSVh+TkFf+MAoGCCqGSM49BAMCA0gA
    MEUCIQDdaJ92P90Z3b2r70hnHFNbsJoI3g926QFN/MnFwoa5agIgcW1ZRy+e7dHT
    GU/GJXcUvWVQzQj4pxZnh4cUGLuDJX8=
    -----END CERTIFICATE-----

    """

  /// `tls-certificate.pem`.
  static let certificate = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPO7Nf0tKcfVW5N1E
    /8fOj9byh3XMYuaj7vkSQ2UcTWOhRANCAAShHoM1/bjadtr37l9wpMEx4/ghxwmW
    FKJku5GmXLLlXFqOI7BmZ3Okciv5rAsqFO3sp2YhL4f4XGUYsFploujB
    -----END PRIVATE KEY-----
    -----BEGIN CERTIFICATE-----
    MIIB6TCCAZCgAwIBAgIVAKtqJ9jjR685u1Pv4/XChW4/cVhsMAoGCCqGSM49BAMC
    MC4xLDAqBgNVBAMMI0Zvb3RicmlkZ2UgbG9jYWwgYXV0aG9yaXR5IDFiZDY1MTlh
    MB4XDTI2MTEyMzA2NDY0NFoXDTI3MTIyNTA3NDY0NFowFDESMBAGA1UEAwwJbG9j
    YWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEoR6DNf242nba9+5fcKTB
    MeP4IccJlhSiZLuRplyy5VxajiOwZmdzpHIr+awLKhTt7KdmIS+H+FxlGLBaZaLo
    waOBpDCBoTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAK
    BggrBgEFBQcDATAsBgNVHREEJTAjgglsb2NhbGhvc3SHBH8AAAGHEAAAAAAAAAAA
    AAAAAAAAAAEwHQYDVR0OBBYEFBmOoYEC3SKihZt2OFfqErDwdP4yMB8GA1UdIwQY
    MBaAFFx0dF84YgF/FgQ3VCrSVh+TkFf+MAoGCCqGSM49BAMCA0cAMEQCIBSfwlNo
    dfsVeMeWsQz9+Gs/71Bljx/kjQcnIdl2pbTuAiBp2q2S4ofdOGRyC/eddttjqxlK
    ewTkyPwqqndzAhG3pQ==
    -----END CERTIFICATE-----

    """

  /// The public key of ``signingKey``.
  static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2XxQjMTdhNf3DNE6w92UVPDCfan3
    Fe3xZ268iQzzlnpsQaPatHWAgcM5yzeX4XCr968iXc/4B4qEhwTCnJbq2Q==
    -----END PUBLIC KEY-----
    """

  /// A private key on another curve.
  static let keyOnP384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBc7IeAzJss5+gTsYeV
    iL+e+aiSMkVTNNR6s4i5zK+1xdMXh/4eHsfVWcQE9IMSn/qhZANiAAQP01kNIC00
    1JDacVku5D8nrnL79ozlM/gkBvp98RWmFQrH7JL2LDqttMvjY/hqel0N3+OD2bH/
    MKmF4PvFa0sIR7tekEOBqipymoZnPAKkQFKy3/SeN/gk74Ny0XJmD24=
    -----END PRIVATE KEY-----
    """
}
