/* Preloaded into a process: keeps what each file and folder held when it was last flushed to disk, in
 * the folder SHIM_KEEP, and lets the clock jump by up to SHIM_CLOCK seconds, to and fro. Folders are
 * kept as lists of their entries. benchmarks/power_loss.py makes of it what a power cut may leave.
 *
 *     cc -shared -fPIC -O1 -o unsynced.so benchmarks/unsynced.c -ldl
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int identity(int fd, const char *name, char *into, size_t size, int *folder) {
    struct statx s;
    int flags = *name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH;
    if (statx(fd, name, flags, STATX_INO | STATX_BTIME | STATX_TYPE, &s)) return -1;
    *folder = S_ISDIR(s.stx_mode);
    snprintf(into, size, "%llu.%lld.%u", (unsigned long long)s.stx_ino,
             (long long)s.stx_btime.tv_sec, s.stx_btime.tv_nsec);
    return 0;
}

static void list(int fd, FILE *out) {
    char id[128];
    int folder, copy = openat(fd, ".", O_RDONLY | O_DIRECTORY);
    DIR *open = copy < 0 ? NULL : fdopendir(copy);
    if (!open) return;
    for (struct dirent *one; (one = readdir(open));)
        if (strcmp(one->d_name, ".") && strcmp(one->d_name, "..") &&
            !identity(fd, one->d_name, id, sizeof id, &folder))
            fprintf(out, "%s %s\n", id, one->d_name);
    closedir(open);
}

static void copy(int fd, FILE *out) {
    char path[64], block[65536];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int in = open(path, O_RDONLY);
    for (ssize_t n; in >= 0 && (n = read(in, block, sizeof block)) > 0;) fwrite(block, 1, n, out);
    if (in >= 0) close(in);
}

static void keep(int fd) {
    const char *kept = getenv("SHIM_KEEP");
    char id[128], path[4096], unfinished[4200];
    int folder;
    if (!kept || identity(fd, "", id, sizeof id, &folder)) return;
    snprintf(path, sizeof path, "%s/%s%s", kept, id, folder ? ".folder" : "");
    snprintf(unfinished, sizeof unfinished, "%s.%d-%ld", path, getpid(), (long)gettid());
    FILE *out = fopen(unfinished, "w");
    if (!out) return;
    if (folder) list(fd, out); else copy(fd, out);
    fclose(out);
    rename(unfinished, path);
}

#define FLUSH(name)                                                         \
    int name(int fd) {                                                      \
        int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name);           \
        int failed = real(fd);                                              \
        if (!failed) keep(fd);                                              \
        return failed;                                                      \
    }
FLUSH(fsync)
FLUSH(fdatasync)

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    const char *jump = clock == CLOCK_REALTIME ? getenv("SHIM_CLOCK") : NULL;
    if (!failed && jump && atoi(jump) > 0) {
        struct timespec steady; /* another jump every quarter of a second */
        real(CLOCK_MONOTONIC, &steady);
        unsigned seed = steady.tv_sec * 4 + steady.tv_nsec / 250000000;
        now->tv_sec += (long)(rand_r(&seed) % (2 * atoi(jump) + 1)) - atoi(jump);
    }
    return failed;
}
