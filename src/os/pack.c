/* A tree as a stream: a mark, then an item for each file and folder. A folder's items end with
 * ITEM_UP. The last item has the checksum of everything before it, so that a truncated stream is
 * recognised. Numbers are in this machine's byte order. */
#include "base/hash.h"
#include "os/tree.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, DEPTH_MAX = 32 };
enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

static const char mark[] = "pgfsm tree 1\n";

enum item_kind { ITEM_FILE = 1, ITEM_FOLDER, ITEM_UP, ITEM_END };

/* The beginning of an item; its name and the file's bytes follow. */
struct item {
    uint64_t kind;
    uint64_t name_size;
    uint64_t size; /* of the file; of ITEM_END: the checksum */
};

struct packing {
    FILE *stream;
    uint64_t sum;
    const char *const *without;
};

static bool put_bytes(struct packing *packing, const void *data, size_t size)
{
    packing->sum = hash_words(packing->sum, data, size);
    return fwrite(data, 1, size, packing->stream) == size;
}

static bool put_item(struct packing *packing, enum item_kind kind, const char *name, uint64_t size)
{
    const struct item item = {kind, strlen(name), size};
    return put_bytes(packing, &item, sizeof item) && put_bytes(packing, name, item.name_size);
}

/* A user who can write to the tree may have replaced the file since we checked it. */
static int open_plain(int dir, const char *name, struct stat *info)
{
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && (fstat(file, info) != 0 || !S_ISREG(info->st_mode))) {
        close(file);
        errno = EINVAL;
        file = -1;
    }
    return file;
}

static bool read_whole(int file, char *out, size_t size)
{
    ssize_t got = 0;
    for (size_t done = 0; done<size; done += got> 0 ? (size_t)got : 0) {
        got = read(file, out + done, size - done);
        if (got == 0) {
            errno = EINVAL; /* the file became shorter */
        }
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
    }
    return true;
}

static bool pack_file(struct packing *packing, int dir, const char *name)
{
    char chunk[CHUNK];
    struct stat info;
    int file = open_plain(dir, name, &info);
    if (file < 0) {
        return false;
    }
    uint64_t left = (uint64_t)info.st_size;
    bool packed = put_item(packing, ITEM_FILE, name, left);
    while (packed && left > 0) {
        size_t size = left < CHUNK ? (size_t)left : CHUNK;
        packed = read_whole(file, chunk, size) && put_bytes(packing, chunk, size);
        left -= size;
    }
    int why = errno;
    close(file);
    errno = why;
    return packed;
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static bool is_left_out(const struct packing *packing, const char *name)
{
    const char *const *prefix = packing->without;
    while (*prefix && strncmp(name, *prefix, strlen(*prefix)) != 0) {
        prefix++;
    }
    return is_dot(name) || *prefix;
}

static bool pack_folder(struct packing *packing, int parent, const char *path, const char *name,
                        int depth);

static bool pack_entry(struct packing *packing, int dir, const char *name, int depth)
{
    struct stat info;
    if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    return S_ISDIR(info.st_mode) ? pack_folder(packing, dir, name, name, depth + 1)
                                 : pack_file(packing, dir, name);
}

static bool pack_folder(struct packing *packing, int parent, const char *path, const char *name,
                        int depth)
{
    int fd = openat(parent, path, FOLDER_FLAGS);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        return false;
    }
    const struct dirent *entry = NULL;
    bool packed = depth <= DEPTH_MAX && put_item(packing, ITEM_FOLDER, name, 0);
    while (packed && (errno = 0, entry = readdir(dir))) {
        packed =
            is_left_out(packing, entry->d_name) || pack_entry(packing, fd, entry->d_name, depth);
    }
    packed = packed && errno == 0 && put_item(packing, ITEM_UP, "", 0);
    int why = errno;
    closedir(dir);
    errno = why;
    return packed;
}

bool tree_pack(const char *from, const char *const *without, FILE *to, struct error *err)
{
    assert(without != NULL);
    struct packing packing = {to, HASH_START, without};
    return (put_bytes(&packing, mark, sizeof mark) &&
            pack_folder(&packing, AT_FDCWD, from, "", 0) &&
            put_item(&packing, ITEM_END, "", packing.sum) && fflush(to) == 0) ||
           error_system(err, "can't pack", from);
}

struct unpacking {
    FILE *stream;
    uint64_t sum;
    const struct os_user *owner;
    enum unpacked outcome;
};

static bool fail_unpack(struct unpacking *unpacking, enum unpacked outcome)
{
    unpacking->outcome = outcome;
    return false;
}

static bool take_bytes(struct unpacking *unpacking, void *out, size_t size)
{
    if (fread(out, 1, size, unpacking->stream) != size) {
        return fail_unpack(unpacking, UNPACK_DAMAGED);
    }
    unpacking->sum = hash_words(unpacking->sum, out, size);
    return true;
}

/* `name` has room for NAME_MAX + 1 bytes. A name never leads out of its folder. */
static bool take_item(struct unpacking *unpacking, struct item *item, char *name)
{
    if (!take_bytes(unpacking, item, sizeof *item)) {
        return false;
    }
    if (item->name_size > NAME_MAX) {
        return fail_unpack(unpacking, UNPACK_DAMAGED);
    }
    name[item->name_size] = '\0';
    return take_bytes(unpacking, name, item->name_size) &&
           (!strchr(name, '/') || fail_unpack(unpacking, UNPACK_DAMAGED));
}

static bool write_whole(int file, const char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, data + done, size - done);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

static bool give_to_owner(const struct unpacking *unpacking, int fd)
{
    const struct os_user *owner = unpacking->owner;
    return !owner->other || fchown(fd, owner->uid, owner->gid) == 0;
}

static bool unpack_file(struct unpacking *unpacking, int dir, const char *name, uint64_t left)
{
    char chunk[CHUNK];
    int file = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return fail_unpack(unpacking, UNPACK_FAILED);
    }
    bool whole = true;
    while (whole && left > 0) {
        size_t size = left < CHUNK ? (size_t)left : CHUNK;
        whole = take_bytes(unpacking, chunk, size) &&
                (write_whole(file, chunk, size) || fail_unpack(unpacking, UNPACK_FAILED));
        left -= size;
    }
    bool given = give_to_owner(unpacking, file);
    return (close(file) == 0 && given) ? whole : fail_unpack(unpacking, UNPACK_FAILED);
}

/* Unpacks the items of a folder, up to its end. */
static bool unpack_items(struct unpacking *unpacking, int dir, int depth);

/* The folder gets its owner last, so that until then only we may enter it. */
static bool unpack_folder(struct unpacking *unpacking, int parent, const char *name, int depth)
{
    int dir = -1;
    if (depth > DEPTH_MAX || mkdirat(parent, name, 0700) != 0 ||
        (dir = openat(parent, name, FOLDER_FLAGS)) < 0) {
        return fail_unpack(unpacking, UNPACK_FAILED);
    }
    bool unpacked = unpack_items(unpacking, dir, depth) &&
                    (give_to_owner(unpacking, dir) || fail_unpack(unpacking, UNPACK_FAILED));
    close(dir);
    return unpacked;
}

static bool unpack_items(struct unpacking *unpacking, int dir, int depth)
{
    char name[NAME_MAX + 1];
    struct item item;
    while (take_item(unpacking, &item, name)) {
        switch (item.kind) {
        case ITEM_FILE:
            if (!unpack_file(unpacking, dir, name, item.size)) {
                return false;
            }
            break;
        case ITEM_FOLDER:
            if (!unpack_folder(unpacking, dir, name, depth + 1)) {
                return false;
            }
            break;
        default:
            return item.kind == ITEM_UP || fail_unpack(unpacking, UNPACK_DAMAGED);
        }
    }
    return false;
}

static bool begins_well(struct unpacking *unpacking)
{
    char found[sizeof mark];
    char name[NAME_MAX + 1];
    struct item item;
    return take_bytes(unpacking, found, sizeof found) && take_item(unpacking, &item, name) &&
           ((memcmp(found, mark, sizeof mark) == 0 && item.kind == ITEM_FOLDER) ||
            fail_unpack(unpacking, UNPACK_DAMAGED));
}

static bool ends_well(struct unpacking *unpacking)
{
    char name[NAME_MAX + 1];
    struct item item;
    uint64_t sum = unpacking->sum;
    return take_item(unpacking, &item, name) &&
           ((item.kind == ITEM_END && item.size == sum) || fail_unpack(unpacking, UNPACK_DAMAGED));
}

enum unpacked tree_unpack(FILE *from, const char *to, const struct os_user *owner)
{
    assert(owner != NULL);
    struct unpacking unpacking = {from, HASH_START, owner, UNPACKED};
    (void)(begins_well(&unpacking) && unpack_folder(&unpacking, AT_FDCWD, to, 0) &&
           ends_well(&unpacking));
    return unpacking.outcome;
}
