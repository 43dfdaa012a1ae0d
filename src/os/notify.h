/* Changes in folders (Linux: inotify(7); elsewhere none are noticed, and notify_open fails). */
#ifndef OS_NOTIFY_H
#define OS_NOTIFY_H

/* Returns a descriptor to wait for and to close, which is ready when something has changed; it is
 * closed on exec. -1 with errno. */
int notify_open(void);

/* Notices from now on if a file of this folder is written and closed, comes, goes or is removed.
 * Returns the folder's number, the same one for the same folder; -1 with errno. */
int notify_folder(int fd, const char *folder);

/* Calls `changed` for each change that has come since, with the folder's number and the file's name
 * in it; with -1 and "" if changes were lost. Does not wait. */
void notify_read(int fd, void (*changed)(void *host, int folder, const char *name), void *host);

#endif
