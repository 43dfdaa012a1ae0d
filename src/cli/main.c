#include <stdio.h>
#include <string.h>

#include <pgfsm/version.h>

/* Exit status for wrong usage. */
enum { EXIT_USAGE = 2 };

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "version") == 0) {
        printf("pgfsm %s\n", pgfsm_version());
        return 0;
    }
    fputs("usage: pgfsm version\n", stderr);
    return EXIT_USAGE;
}
