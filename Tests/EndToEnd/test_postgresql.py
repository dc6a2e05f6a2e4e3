"""The database of the tests of replicas, and the line to it that they break."""

import socket

import pytest

from postgresql import PostgreSQL
from relay import Relay


def test_what_postgresql_has_confirmed_outlives_a_kill_and_a_broken_line():
    with PostgreSQL() as database, Relay(database.socket) as line:
        database.query("CREATE TABLE t (number int)")
        for number in range(3):
            database.query(f"INSERT INTO t VALUES ({number})")
            database.kill()
            database.start()
        assert database.query("SELECT count(*) FROM t") == [["3"]]
        far = database.url_at(line.port)
        database.client("psql", "--command", "SELECT 1", url=far)
        client = socket.create_connection(("127.0.0.1", line.port))
        client.sendall(b"\0\0\0\x08\x04\xd2\x16\x2f")
        assert client.recv(1) == b"N"  # There is no TLS at a Unix socket.
        line.cut()
        with pytest.raises(ConnectionResetError):
            client.recv(1)
        client.close()
        line.mend()
        database.client("psql", "--command", "SELECT 1", url=far)
