/* A bank on the fake database: accounts are opened, paid into and closed. Its bugs can be enabled.
 */
#ifndef SUPPORT_BANK_H
#define SUPPORT_BANK_H

#include "support/fake.h"

enum bank_bug {
    BANK_SOUND,
    BANK_LOSES_LARGE,    /* a payment of more than 8 is not booked, but answered as if it were */
    BANK_ANSWERS_WRONG,  /* after the third payment the answer is off by one */
    BANK_CLOSED_TAKES,   /* a closed account takes payments */
    BANK_REFUSES,        /* a balance above 20 raises an error */
    BANK_FORGETS_CLOSED, /* closing the first account while there are three removes another */
    BANK_FLAKY,          /* the very first payment of all is lost */
    BANK_BUGS,
};

enum { BANK_ACCOUNTS = 256 };

struct bank {
    enum bank_bug bug;
    int next; /* ids are not used again in an example */
    int count;
    int payments;
    struct {
        int id;
        int balance;
        bool closed;
    } accounts[BANK_ACCOUNTS];
};

extern const struct fake_script bank_script[];
/* The machine, in YAML. */
extern const char bank_machine[];

/* Forgets that BANK_FLAKY has happened. */
void bank_reset_flaky(void);

#endif
