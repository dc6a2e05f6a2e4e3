// load: a closed-loop WebSocket load generator on one thread. Each of C connections keeps D requests in flight. Every reply must be the
// answer to the oldest of them.
//
// The request is the content of a file. It contains the correlation id 00000000-0000-4000-8000-000000000000. Each request gets its own id in
// this place, and its reply must contain it. The generator ignores events.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

enum { DEPTH_LIMIT = 256, REPLY_ROOM = 1 << 20, PORT_LIMIT = 16 };

static const char usage[] =
    "usage: load [-c connections] [-d depth] [-n requests] [-w warm-up requests] [-u path] [-s subprotocol] [-p] [-f number] [-i] PORT,... FILE\n"
    "  -p  each connection is a separate page in a separate session\n"
    "  -f  the number of the first page, 1 without it\n"
    "  -i  one request on each connection, then hold them open until standard input ends\n";

struct connection {
  int descriptor;
  uint32_t asked, answered;        // requests sent, replies received
  uint64_t ids[DEPTH_LIMIT];       // of the requests in flight, by number modulo the limit
  uint64_t times[DEPTH_LIMIT];     // when they were sent, in nanoseconds
  uint8_t *outgoing, *incoming;
  size_t outgoing_count, outgoing_sent, incoming_count;
  bool waits_for_room;
};

static int ports[PORT_LIMIT], port_count, connection_count = 1, depth = 1, first_page = 1;
static long request_count = 100000, warm_up = -1;
static const char *path = "/", *subprotocol;
static bool are_pages, is_idle;

static struct request request;
static struct connection *connections;
static int poller;
static long sent, received;
static uint64_t last_id;

// MARK: Requests

/// Appends a request as one masked frame.
static void ask(struct connection *connection, uint64_t time) {
  uint64_t id = ++last_id;
  connection->ids[connection->asked % DEPTH_LIMIT] = id;
  connection->times[connection->asked % DEPTH_LIMIT] = time;
  connection->asked++;
  sent++;
  // The buffer has room for all requests in flight.
  memmove(connection->outgoing, connection->outgoing + connection->outgoing_sent,
          connection->outgoing_count - connection->outgoing_sent);
  connection->outgoing_count -= connection->outgoing_sent;
  connection->outgoing_sent = 0;
  connection->outgoing_count += write_request(connection->outgoing + connection->outgoing_count, &request, id);
}

static void set_waiting_for_room(struct connection *connection, bool waits) {
  if (connection->waits_for_room == waits) return;
  connection->waits_for_room = waits;
  struct epoll_event event = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.ptr = connection};
  epoll_ctl(poller, EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void flush(struct connection *connection) {
  while (connection->outgoing_sent < connection->outgoing_count) {
    ssize_t count = send(connection->descriptor, connection->outgoing + connection->outgoing_sent,
                         connection->outgoing_count - connection->outgoing_sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) return set_waiting_for_room(connection, true);
    if (count < 0) fail("send: %s", strerror(errno));
    connection->outgoing_sent += count;
  }
  connection->outgoing_count = connection->outgoing_sent = 0;
  set_waiting_for_room(connection, false);
}

// MARK: Connections

/// Connects and shakes hands, one after another. Each goes to the next port.
static void open_connection(struct connection *connection, int index) {
  int number = first_page + index, port = ports[index % port_count];
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (connection->descriptor < 0 || connect(connection->descriptor, (void *)&address, sizeof address))
    fail("connection %d: %s", number, strerror(errno));
  int on = 1;
  setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

  char head[1024], answer[4096];
  int length = write_opening(head, sizeof head, port, path, subprotocol, are_pages ? number : 0);
  if (write(connection->descriptor, head, length) != length) fail("connection %d: %s", number, strerror(errno));
  // Peeks first, because a message may already follow the head.
  char *end = NULL;
  while (!end) {
    ssize_t count = recv(connection->descriptor, answer, sizeof answer - 1, MSG_PEEK);
    if (count <= 0 || count == sizeof answer - 1) fail("connection %d was not accepted", number);
    answer[count] = 0;
    end = strstr(answer, "\r\n\r\n");
  }
  if (read(connection->descriptor, answer, end + 4 - answer) != end + 4 - answer)
    fail("connection %d: %s", number, strerror(errno));
  if (memcmp(answer, "HTTP/1.1 101", 12)) fail("connection %d: %.*s", number, 60, answer);
  connection->outgoing = malloc((request.length + FRAME_HEADER) * depth);
}

// MARK: Replies

static void check(struct connection *connection, const uint8_t *payload, size_t length) {
  if (connection->asked == connection->answered) fail("a message that nobody asked for: %.*s", (int)length, payload);
  if (!has_id(payload, length, connection->ids[connection->answered % DEPTH_LIMIT]))
    fail("not the answer: %.*s", (int)(length > 400 ? 400 : length), payload);
}

/// Reads the available bytes, checks the replies in them, and passes the time of each to `reply`.
static void take_replies(struct connection *connection, void (*reply)(struct connection *, uint64_t)) {
  ssize_t count = recv(connection->descriptor, connection->incoming + connection->incoming_count,
                       REPLY_ROOM - connection->incoming_count, 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) fail("closed by the server after %ld replies", received);
  connection->incoming_count += count;
  uint64_t time = now();
  size_t start = 0, length, header;
  while ((length = frame_length(connection->incoming + start, connection->incoming_count - start, &header))) {
    const uint8_t *frame = connection->incoming + start;
    start += length;
    int opcode = frame[0] & 0x0F;
    if (opcode == 8) fail("closed by the server after %ld replies", received);
    if (opcode >= 8 || memmem(frame + header, length - header, "\"type\":\"event\"", 14)) continue;
    check(connection, frame + header, length - header);
    uint64_t asked = connection->times[connection->answered % DEPTH_LIMIT];
    connection->answered++;
    received++;
    reply(connection, time - asked);
  }
  memmove(connection->incoming, connection->incoming + start, connection->incoming_count - start);
  connection->incoming_count -= start;
}

// MARK: The two ways to run

static uint32_t *latencies;
static long latency_count;
static uint64_t measured_from;

static void note_reply(struct connection *connection, uint64_t latency) {
  if (received == warm_up) {
    measured_from = now();
  } else if (received > warm_up) {
    latencies[latency_count++] = latency > UINT32_MAX ? UINT32_MAX : latency;
  }
  if (sent < warm_up + request_count) ask(connection, now());
}

static int compare(const void *a, const void *b) {
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return (first > second) - (first < second);
}

static double microseconds(double quantile) { return latencies[(long)((latency_count - 1) * quantile)] / 1000.0; }

static void run_load(void) {
  latencies = malloc(sizeof *latencies * request_count);
  if (warm_up == 0) measured_from = now();
  for (int i = 0; i < connection_count; i++) {
    struct connection *connection = &connections[i];
    connection->incoming = malloc(REPLY_ROOM);
    fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event);
    for (int j = 0; j < depth && sent < warm_up + request_count; j++) ask(connection, now());
    flush(connection);
  }
  while (received < warm_up + request_count) {
    struct epoll_event events[256];
    int count = epoll_wait(poller, events, 256, 30000);
    if (count == 0) fail("no reply for 30 seconds after %ld", received);
    for (int i = 0; i < count; i++) {
      struct connection *connection = events[i].data.ptr;
      if (events[i].events & EPOLLIN) take_replies(connection, note_reply);
      if (connection->outgoing_count > 0) flush(connection);
    }
  }
  double seconds = (now() - measured_from) / 1e9;
  qsort(latencies, latency_count, sizeof *latencies, compare);
  printf("{\"throughput\": %.0f, \"median\": %.2f, \"p99\": %.2f}\n", latency_count / seconds, microseconds(0.5),
         microseconds(0.99));
}

static void ignore_reply(struct connection *connection, uint64_t latency) {
  (void)connection;
  (void)latency;
}

static void hold_open(uint64_t start) {
  uint8_t *room = malloc(REPLY_ROOM);
  for (int i = 0; i < connection_count; i++) {
    struct connection *connection = &connections[i];
    open_connection(connection, i);
    connection->incoming = room;
    ask(connection, now());
    flush(connection);
    while (connection->answered < connection->asked) take_replies(connection, ignore_reply);
    free(connection->outgoing);
  }
  printf("{\"opened\": %.3f}\n", (now() - start) / 1e9);
  fflush(stdout);
  for (char byte; read(STDIN_FILENO, &byte, 1) > 0;) continue;
}

int main(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "c:d:n:w:u:s:pf:i")) != -1;) switch (option) {
      case 'c': connection_count = atoi(optarg); break;
      case 'd': depth = atoi(optarg); break;
      case 'n': request_count = atol(optarg); break;
      case 'w': warm_up = atol(optarg); break;
      case 'u': path = optarg; break;
      case 's': subprotocol = optarg; break;
      case 'p': are_pages = true; break;
      case 'f': first_page = atoi(optarg); break;
      case 'i': is_idle = true; break;
      default: fputs(usage, stderr); return 64;
    }
  if (optind == count - 2) port_count = read_ports(arguments[optind], ports, PORT_LIMIT);
  if (port_count == 0 || depth < 1 || depth > DEPTH_LIMIT || request_count < 1 || connection_count < 1) {
    fputs(usage, stderr);
    return 64;
  }
  if (warm_up < 0) warm_up = request_count / 10;
  read_request(&request, arguments[optind + 1]);
  // A page knows its earlier requests by their ids, so no two runs may use the same.
  last_id = now() / 1000;
  connections = calloc(connection_count, sizeof *connections);
  poller = epoll_create1(0);
  if (is_idle) {
    hold_open(now());
  } else {
    for (int i = 0; i < connection_count; i++) open_connection(&connections[i], i);
    run_load();
  }
  return 0;
}
