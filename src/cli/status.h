/* Exit statuses. */
#ifndef CLI_STATUS_H
#define CLI_STATUS_H

/* With several machines, the program exits with the first that applies, in the order of
 * `status_worst`. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* a property failed */
    STATUS_USAGE = 2,  /* wrong usage, or a mistake in a machine, its schema files, its contexts */
    STATUS_UNREACHABLE = 3, /* the database could not be reached or went away */
    STATUS_UNMET = 4,       /* a requirement was not met */
    STATUS_NOTHING = 5,     /* no step was run */
    STATUS_INTERRUPTED = 130,
};
enum status status_worst(enum status a, enum status b);

#endif
