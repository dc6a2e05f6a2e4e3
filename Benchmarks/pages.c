// pages: opens pages, several at once, each in its own session. Each makes some requests, one after the other. Then they stay open. A
// page whose connection ends comes back at another port, and makes its first request, a greeting, and its last one again, as pages do whose
// server is killed.
//
// Prints when all pages were open, and when all had come back, with how long they were without a host. Ends with standard input. All times
// are those of the monotonic clock, in seconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

enum { PORT_LIMIT = 16, SCRIPT_LIMIT = 8, ROOM = 1 << 16, HEAD_ROOM = 1024, EVENTS = 256 };
// How long a page waits before it connects again, in nanoseconds: as in the shim, it doubles, and a part of it is random.
static const uint64_t first_delay = 50000000, longest_delay = 2000000000;

static const char usage[] =
    "usage: pages [-c pages] [-f number of the first] [-a at once] [-e text in each last answer] PATH SUBPROTOCOL PORT,... FILE...\n"
    "  The pages open at the first port.\n";

struct page {
  enum { AWAY, CONNECTING, OPENING, OPEN } state;
  unsigned number;
  int descriptor, port_index;
  int step;              // the request of the script that it makes, or the script's length
  uint64_t id;           // of that request
  uint64_t due;          // when a page that is away connects again
  uint64_t lost_at;      // when its connection ended
  unsigned failures;     // since it was last open
  bool was_lost, is_back;
  uint8_t *incoming;
  size_t incoming_count;
};

static int ports[PORT_LIMIT], port_count, page_count = 1, at_once = 64;
static unsigned first_number = 1;
static const char *path, *subprotocol, *expected;
static struct request script[SCRIPT_LIMIT];
static int script_length;
static struct page *pages;
static int poller, started, ready, lost, back;
static uint64_t last_id, first_loss, *returns, *absences;
static long refusals;

static void begin(struct page *page);
static void lose(struct page *page);

static void watch(struct page *page, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.ptr = page};
  if (epoll_ctl(poller, operation, page->descriptor, &event)) fail("epoll: %s", strerror(errno));
}

// MARK: Connections

static void connect_page(struct page *page) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(ports[page->port_index]), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  page->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (page->descriptor < 0) fail("page %u: %s", page->number, strerror(errno));
  int on = 1;
  setsockopt(page->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  page->state = CONNECTING;
  page->incoming_count = 0;
  // Whether it has failed already comes as an event, too.
  connect(page->descriptor, (void *)&address, sizeof address);
  watch(page, EPOLLOUT, EPOLL_CTL_ADD);
}

/// Chooses another port than the last one.
static void go_elsewhere(struct page *page) {
  if (port_count > 1) page->port_index = (page->port_index + 1 + random() % (port_count - 1)) % port_count;
}

static void send_all(struct page *page, const void *bytes, size_t count) {
  // The buffer of a socket has room for a request.
  if (send(page->descriptor, bytes, count, MSG_NOSIGNAL) != (ssize_t)count && errno != EPIPE && errno != ECONNRESET)
    fail("page %u: send: %s", page->number, strerror(errno));
}

static void connected(struct page *page) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(page->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) return lose(page);
  char head[HEAD_ROOM];
  int length = write_opening(head, sizeof head, ports[page->port_index], path, subprotocol, page->number);
  page->state = OPENING;
  watch(page, EPOLLIN, EPOLL_CTL_MOD);
  send_all(page, head, length);
}

/// The connection has ended, or could not be made.
static void lose(struct page *page) {
  if (ready < page_count) fail("page %u was lost before all were open", page->number);
  if (page->state == OPEN && page->step == script_length) {
    page->lost_at = now();
    if (lost++ == 0) first_loss = page->lost_at;
    page->was_lost = true;
  } else if (page->state != CONNECTING) {
    refusals++;
  }
  if (page->was_lost) page->step = 0;
  close(page->descriptor);
  // A balancer knows soon that nobody listens: this costs no delay.
  bool is_refused = page->state == CONNECTING;
  page->state = AWAY;
  go_elsewhere(page);
  uint64_t delay = first_delay << (page->failures < 6 ? page->failures : 6);
  if (delay > longest_delay) delay = longest_delay;
  page->due = is_refused ? 0 : now() + delay / 2 + random() % (delay / 2);
  if (!is_refused) page->failures++;
}

// MARK: Messages

static void ask(struct page *page) {
  uint8_t frame[REQUEST_LIMIT + FRAME_HEADER];
  page->id = ++last_id;
  send_all(page, frame, write_request(frame, &script[page->step], page->id));
}

/// Says yes to a question of the host.
static void agree(struct page *page, const char *message, size_t length) {
  char answer[4096];
  char *kind = length < sizeof answer - 64 ? memmem(message, length, "\"request\"", 9) : NULL;
  char *end = kind ? memrchr(message, '}', length) : NULL;
  // The payload comes last, and its data is replaced.
  char *data = kind ? memmem(message, length, "\"data\":", 7) : NULL;
  if (!end || !data) fail("a question that is not known: %.*s", (int)length, message);
  int count = snprintf(answer, sizeof answer, "%.*s\"response\"%.*s\"status\":\"success\",\"data\":{\"result\":true}}}",
                       (int)(kind - message), message, (int)(data - kind - 9), kind + 9);
  uint8_t frame[sizeof answer + FRAME_HEADER];
  send_all(page, frame, write_frame(frame, answer, count, 0x9d2c5681u));
}

static void answered(struct page *page, const uint8_t *message, size_t length) {
  bool is_last = page->step == script_length - 1;
  if (!has_id(message, length, page->id)) fail("not the answer: %.*s", (int)(length > 400 ? 400 : length), message);
  if (!memmem(message, length, "\"success\"", 9) || (is_last && expected && !memmem(message, length, expected, strlen(expected))))
    fail("not the right answer: %.*s", (int)(length > 400 ? 400 : length), message);
  page->step = page->was_lost && !is_last ? script_length - 1 : page->step + 1;
  if (page->step < script_length) return ask(page);
  page->failures = 0;
  if (lost == 0) {
    ready++;
    if (started < page_count) begin(&pages[started++]);
  } else if (!page->is_back) {
    page->is_back = true;
    returns[back] = now();
    absences[back] = returns[back] - page->lost_at;
    back++;
  }
}

static void take_message(struct page *page, const uint8_t *message, size_t length) {
  if (memmem(message, length, "\"type\":\"event\"", 14)) return;
  if (memmem(message, length, "\"type\":\"request\"", 16)) return agree(page, (const char *)message, length);
  if (page->step < script_length) answered(page, message, length);
}

static void take_frames(struct page *page) {
  size_t start = 0, length, header;
  while ((length = frame_length(page->incoming + start, page->incoming_count - start, &header))) {
    const uint8_t *frame = page->incoming + start;
    start += length;
    int opcode = frame[0] & 0x0F;
    if (opcode == 8) {
      if (ready < page_count) fail("page %u: %.*s", page->number, (int)(length - header - 2), (const char *)frame + header + 2);
      return lose(page);
    }
    if (opcode == 9) {
      // A pong repeats the payload, here masked with zeros.
      uint8_t pong[FRAME_HEADER + 125] = {0x8A, 0x80 | (length - header)};
      memcpy(pong + 6, frame + header, length - header);
      send_all(page, pong, 6 + length - header);
    }
    if (opcode == 1) take_message(page, frame + header, length - header);
  }
  memmove(page->incoming, page->incoming + start, page->incoming_count - start);
  page->incoming_count -= start;
}

static void take_head(struct page *page) {
  uint8_t *end = memmem(page->incoming, page->incoming_count, "\r\n\r\n", 4);
  if (!end) return;
  if (memcmp(page->incoming, "HTTP/1.1 101", 12)) {
    if (lost == 0) fail("page %u: %.60s", page->number, (char *)page->incoming);
    return lose(page);
  }
  page->state = OPEN;
  size_t length = end + 4 - page->incoming;
  memmove(page->incoming, end + 4, page->incoming_count - length);
  page->incoming_count -= length;
  ask(page);
}

static void receive(struct page *page) {
  ssize_t count = recv(page->descriptor, page->incoming + page->incoming_count, ROOM - page->incoming_count, 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return lose(page);
  page->incoming_count += count;
  if (page->state == OPENING) take_head(page);
  if (page->state == OPEN) take_frames(page);
}

static void begin(struct page *page) {
  page->incoming = malloc(ROOM);
  if (!page->incoming) fail("no memory");
  connect_page(page);
}

// MARK: The whole

static void run_once(void) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(poller, events, EVENTS, lost > back ? 5 : -1);
  for (int i = 0; i < count; i++) {
    struct page *page = events[i].data.ptr;
    if (!page) {
      char byte;
      if (read(STDIN_FILENO, &byte, 1) <= 0) exit(0);
    } else if (page->state == CONNECTING) {
      connected(page);
    } else if (page->state != AWAY) {
      receive(page);
    }
  }
  if (lost == back) return;
  uint64_t time = now();
  for (int i = 0; i < page_count; i++)
    if (pages[i].state == AWAY && pages[i].due <= time) connect_page(&pages[i]);
}

static double seconds(uint64_t time) { return time / 1e9; }

static int compare(const void *one, const void *other) {
  uint64_t first = *(const uint64_t *)one, second = *(const uint64_t *)other;
  return (first > second) - (first < second);
}

int main(int count, char **arguments) {
  for (int option; (option = getopt(count, arguments, "c:f:a:e:")) != -1;) switch (option) {
      case 'c': page_count = atoi(optarg); break;
      case 'f': first_number = atoi(optarg); break;
      case 'a': at_once = atoi(optarg); break;
      case 'e': expected = optarg; break;
      default: fputs(usage, stderr); return 64;
    }
  script_length = count - optind - 3;
  if (script_length > 0) port_count = read_ports(arguments[optind + 2], ports, PORT_LIMIT);
  if (port_count == 0 || script_length > SCRIPT_LIMIT || page_count < 1 || at_once < 1) {
    fputs(usage, stderr);
    return 64;
  }
  path = arguments[optind];
  subprotocol = arguments[optind + 1];
  for (int i = 0; i < script_length; i++) read_request(&script[i], arguments[optind + 3 + i]);
  last_id = now() / 1000;
  pages = calloc(page_count, sizeof *pages);
  returns = calloc(page_count, sizeof *returns);
  absences = calloc(page_count, sizeof *absences);
  poller = epoll_create1(0);
  struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input);
  for (int i = 0; i < page_count; i++) pages[i].number = first_number + i;
  uint64_t start = now();
  while (started < page_count && started < at_once) begin(&pages[started++]);
  while (ready < page_count) run_once();
  printf("{\"begun\": %.4f, \"opened\": %.4f}\n", seconds(start), seconds(now()));
  fflush(stdout);
  while (back < page_count) run_once();
  // They are in the order in which they came.
  qsort(absences, back, sizeof *absences, compare);
  printf("{\"lost\": %.4f, \"first\": %.4f, \"median\": %.4f, \"last\": %.4f, \"refusals\": %ld, "
         "\"median_absence\": %.4f, \"longest_absence\": %.4f}\n",
         seconds(first_loss), seconds(returns[0]), seconds(returns[back / 2]), seconds(returns[back - 1]), refusals,
         seconds(absences[back / 2]), seconds(absences[back - 1]));
  fflush(stdout);
  for (;;) run_once();
}
