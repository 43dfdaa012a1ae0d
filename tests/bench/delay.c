/*
 * A simulated network: forwards bytes from a Unix socket to another one and back, each with a delay
 * of so many milliseconds.
 *
 * delay LISTEN CONNECT MILLISECONDS
 *
 * LISTEN and CONNECT are paths of sockets. What is under way waits in a queue with the time at
 * which it is due, so the delay limits no throughput: a megabyte arrives as late as a byte. Goes
 * into the background once it listens, with its process id on standard output, and runs until it is
 * killed.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    CHUNK_MAX = 65536,
    QUEUED_MAX = 256 << 20, /* bytes under way one way: more than this is left with the sender */
    PAIRS_MAX = 64,
};

struct chunk {
    struct chunk *next;
    int64_t due_ns;
    size_t sent;
    size_t size; /* 0: the sender has nothing more to say */
    char data[];
};

/* One way of a connection. */
struct way {
    struct chunk *first;
    struct chunk *last;
    size_t queued;
    bool ended;  /* nothing more is read */
    bool passed; /* and the other side was told */
};

/* A client's connection and the one made for it: way[0] goes from the client, way[1] to it. */
struct pair {
    int fd[2];
    struct way way[2];
};

static struct pair pairs[PAIRS_MAX];
static size_t pair_count;
static int64_t delay_ns;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        die(path);
    }
    memcpy(address.sun_path, path, strlen(path));
    return address;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ||
        listen(fd, PAIRS_MAX) < 0) {
        die(path);
    }
    return fd;
}

static void pair_open(int listener, const char *path)
{
    struct sockaddr_un address = address_of(path);
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) {
        return;
    }
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || connect(server, (const struct sockaddr *)&address, sizeof address) < 0) {
        perror(path);
        close(client);
        close(server);
        return;
    }
    pairs[pair_count++] = (struct pair){.fd = {client, server}};
}

static void way_pop(struct way *way)
{
    struct chunk *chunk = way->first;
    way->first = chunk->next;
    way->last = way->first ? way->last : NULL;
    way->queued -= chunk->size;
    free(chunk);
}

static void pair_close(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        while (pair->way[i].first) {
            way_pop(&pair->way[i]);
        }
        close(pair->fd[i]);
    }
    *pair = pairs[--pair_count];
}

/* Reads the available bytes; false if the connection is broken. */
static bool way_read(struct way *way, int from)
{
    struct chunk *chunk = malloc(sizeof *chunk + CHUNK_MAX);
    if (!chunk) {
        die("malloc");
    }
    ssize_t size = recv(from, chunk->data, CHUNK_MAX, MSG_DONTWAIT);
    if (size < 0) {
        free(chunk);
        return errno == EAGAIN || errno == EINTR;
    }
    chunk->next = NULL;
    chunk->due_ns = now_ns() + delay_ns;
    chunk->sent = 0;
    chunk->size = (size_t)size;
    if (way->last) {
        way->last->next = chunk;
    } else {
        way->first = chunk;
    }
    way->last = chunk;
    way->queued += chunk->size;
    way->ended = size == 0;
    return true;
}

/* Forwards the bytes that are due; false if the connection is broken. */
static bool way_write(struct way *way, int to)
{
    while (way->first && way->first->due_ns <= now_ns()) {
        struct chunk *chunk = way->first;
        if (chunk->size == 0) {
            shutdown(to, SHUT_WR);
            way->passed = true;
            way_pop(way);
            continue;
        }
        ssize_t size = send(to, chunk->data + chunk->sent, chunk->size - chunk->sent,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        chunk->sent += (size_t)size;
        if (chunk->sent == chunk->size) {
            way_pop(way);
        }
    }
    return true;
}

/* What to wait for on one end, and until when at the latest. */
static short events_of(const struct pair *pair, int end, int64_t now, int64_t *until_ns)
{
    const struct way *in = &pair->way[end];
    const struct way *out = &pair->way[1 - end];
    short events = !in->ended && in->queued < QUEUED_MAX ? POLLIN : 0;
    if (out->first && out->first->due_ns <= now) {
        events |= POLLOUT;
    } else if (out->first && out->first->due_ns < *until_ns) {
        *until_ns = out->first->due_ns;
    }
    return events;
}

static bool pair_serve(struct pair *pair, const struct pollfd *polled)
{
    for (int end = 0; end < 2; end++) {
        struct way *in = &pair->way[end];
        bool has_ended = polled[end].revents & (POLLHUP | POLLERR);
        if (!in->ended && ((polled[end].revents & POLLIN) || has_ended) &&
            !way_read(in, pair->fd[end])) {
            return false;
        }
        if (!way_write(&pair->way[1 - end], pair->fd[end])) {
            return false;
        }
    }
    return !(pair->way[0].passed && pair->way[1].passed);
}

static void serve(int listener, const char *path)
{
    struct pollfd polled[1 + 2 * PAIRS_MAX];
    int64_t now = now_ns();
    int64_t until_ns = INT64_MAX;
    polled[0] = (struct pollfd){.fd = listener, .events = pair_count < PAIRS_MAX ? POLLIN : 0};
    for (size_t i = 0; i < pair_count; i++) {
        for (int end = 0; end < 2; end++) {
            short events = events_of(&pairs[i], end, now, &until_ns);
            /* one that hung up would wake us all the time */
            int fd = events || !pairs[i].way[end].ended ? pairs[i].fd[end] : -1;
            polled[1 + 2 * i + (size_t)end] = (struct pollfd){.fd = fd, .events = events};
        }
    }
    int64_t left_ns = until_ns - now;
    struct timespec timeout = {left_ns / 1000000000, left_ns % 1000000000};
    if (ppoll(polled, 1 + 2 * pair_count, until_ns == INT64_MAX ? NULL : &timeout, NULL) < 0 &&
        errno != EINTR) {
        die("ppoll");
    }
    for (size_t i = pair_count; i-- > 0;) {
        if (!pair_serve(&pairs[i], &polled[1 + 2 * i])) {
            pair_close(&pairs[i]);
        }
    }
    if (polled[0].revents & POLLIN) {
        pair_open(listener, path);
    }
}

static bool read_delay(const char *text)
{
    char *end;
    double delay_ms = strtod(text, &end);
    delay_ns = (int64_t)(delay_ms * 1e6);
    return end != text && !*end && delay_ms >= 0 && delay_ms < 1e6;
}

static void go_into_background(void)
{
    pid_t child = fork();
    if (child < 0) {
        die("fork");
    }
    if (child > 0) {
        printf("%ld\n", (long)child);
        exit(0);
    }
    if (!freopen("/dev/null", "w", stdout)) {
        die("/dev/null");
    }
}

int main(int argc, char **argv)
{
    if (argc != 4 || !read_delay(argv[3])) {
        fputs("usage: delay LISTEN CONNECT MILLISECONDS\n", stderr);
        return 2;
    }
    int listener = listen_at(argv[1]);
    go_into_background();
    for (;;) {
        serve(listener, argv[2]);
    }
}
