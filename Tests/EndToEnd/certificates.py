"""Certificates for other servers, and for servers of Footbridge with a certificate of their own."""

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


class Authority:
    """The authority's key in the hands of an attacker."""

    def __init__(self, state):
        pem = (state / "tls-authority.pem").read_bytes()
        self.key = load_pem_private_key(pem[: pem.index(b"-----BEGIN CERTIFICATE")], None)
        self.certificate = x509.load_pem_x509_certificate(pem[pem.index(b"-----BEGIN CERTIFICATE"):])
        self.file = state / "tls-authority.crt"


class Pair:
    """A certificate and its key."""

    def __init__(self, name, issuer=None, names=(), is_authority=False, start=NOW - DAY, end=NOW + 30 * DAY):
        self.key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.certificate.subject if issuer else subject)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(end)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([general_name(name) for name in names]), critical=False)
        self.certificate = builder.sign((issuer or self).key, hashes.SHA256())

    def certificate_pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def key_pem(self, password=None):
        encryption = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        return self.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption).decode()

    def write(self, folder, name):
        """Writes both files and returns their paths."""
        certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
        certificate.write_text(self.certificate_pem())
        key.write_text(self.key_pem())
        return certificate, key


def general_name(name):
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
