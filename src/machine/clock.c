/* Reads `clock`, the time at which every example begins, and `advance`, by which a rule moves it.
 */
#include "machine/loader.h"
#include "value/time/calendar.h"

#include <string.h>

/* Cuts the zone off the end of the text: "+02", "-05:30", "Z". Without a zone, it is UTC. */
static bool take_zone(const char *text, size_t *size, int64_t *offset_us)
{
    enum { DATE = 10, HOURS_MAX = 15 };
    size_t at = *size;
    int64_t hours = 0;
    int64_t minutes = 0;
    *offset_us = 0;
    while (at > DATE && !strchr("+-Z", text[at - 1])) {
        at--;
    }
    if (at <= DATE) {
        return true;
    }
    struct scan scan = {text + at, text + *size};
    char sign = text[at - 1];
    *size = at - 1;
    bool read = sign == 'Z' ||
                (scan_digits(&scan, 1, 2, &hours) && hours <= HOURS_MAX &&
                 (!scan_char(&scan, ':') || (scan_digits(&scan, 2, 2, &minutes) && minutes < 60)));
    *offset_us = (sign == '-' ? -60 : 60) * (hours * 60 + minutes) * CALENDAR_SECOND;
    return read && scan.at == scan.end;
}

static bool read_time(const char *text, size_t size, int64_t *out)
{
    int64_t offset_us;
    int64_t local_us;
    if (!take_zone(text, &size, &offset_us) || !calendar_read_timestamp(text, size, &local_us)) {
        return false;
    }
    *out = local_us - offset_us;
    return true;
}

void read_clock(struct loader *loader, void *into, const struct node *value)
{
    struct machine *machine = loader->machine;
    struct machine_clock *clock = ARENA_NEW(loader->arena, struct machine_clock);
    (void)into;
    /* even after a mistake, so that `now` and `advance` are known */
    clock->now = lang_module_global(machine->module, "now", LANG_CLOCK);
    machine->clock = clock;
    machine->settings.transactions = TRANSACTIONS_COMMIT;
    if (!read_time(value->text, value->size, &clock->start_us)) {
        error_hint(report(loader, value, "clock must be a time such as 2026-01-01 00:00:00+00"),
                   "write the time zone as its distance from UTC: +00, -05, +05:30");
    } else if (clock->start_us < calendar_days(1970, 1, 2) * CALENDAR_DAY ||
               clock->start_us >= calendar_days(9999, 1, 1) * CALENDAR_DAY) {
        (void)report(loader, value, "clock must be a time of the years 1970 to 9998");
    }
}

bool read_interval(struct loader *loader, const struct node *value, struct interval *out)
{
    static const struct interval none = {0};
    bool scalar = value->kind == NODE_SCALAR;
    if (!loader->machine->clock) {
        error_hint(report(loader, value, "`advance` moves a clock, and the machine has none"),
                   "say when it starts, beside `rules`: clock: 2026-01-01 00:00:00+00");
    }
    if (scalar && strspn(value->text, "0123456789.") == value->size) {
        error_hint(report(loader, value, "advance needs a unit"), "write for example %s s",
                   value->text);
        return true;
    }
    if (!scalar || !interval_read(value->text, value->size, out)) {
        return false;
    }
    if (interval_compare(*out, none) < 0) {
        (void)report(loader, value, "advance can't set the clock back");
    }
    return true;
}
