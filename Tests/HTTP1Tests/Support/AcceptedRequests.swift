/// Requests that keep every rule, many of them unusual.
let acceptedRequests: [String] = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  "GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: a\r\n\r\n",
  "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET /a%20b/%zz;x=1?q=100%&r={|}\\^`[] HTTP/1.1\r\nhOsT: localhost:8080\r\nAccept:*/*\r\nX-Empty:\r\n\r\n",
  "GET http://Example.com:81/a?b HTTP/1.1\r\nHost: other\r\n\r\n",
  "GET https://[::1] HTTP/1.1\r\nHost: [::1]\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
  "MKCALENDAR!#$ /a HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "POST /b HTTP/1.0\r\nContent-Length: 005\r\nConnection: Keep-Alive\r\n\r\nhello",
  "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nExpect: 100-Continue\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  "PUT /c HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
    + "1;a;b=c ; d = \"e;\\\"\"\r\nh\r\n00000004\r\nello\r\nA;\tx\r\n\r\n\r\n0\r\nGET\r\n"
    + "000;last=1\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n",
  "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n\r\nPOST /c HTTP/1.1\r\nHost: a\r\n"
    + "Content-Length: 3\r\n\r\nGETGET /d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /never HTTP/1.1\r\n",
  "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n",
  "GET / HTTP/1.9\r\nHost: a\r\nConnection: close\r\nCookie: a=b; c=\"d\"\r\nCookie: e=f\r\nX: \t ü \t\r\n\r\n",
]
