#include "machine/settings.h"

#include "base/digits.h"
#include "base/names.h"
#include "base/timespan.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct settings settings_default = {
    .examples = 100,
    .steps = 50,
    .statement_timeout_ms = 5000,
    .shrink_executions = 2000,
    .shrink_time_ms = 60000,
    .check_deferred = CHECK_DEFERRED_STEP,
    .sessions = 1,
    .jobs = 1,
};

enum setting_kind { SETTING_NUMBER, SETTING_DURATION, SETTING_SEED, SETTING_WORD };

/* The server keeps statement_timeout in an int. */
enum { TIMEOUT_MAX_MS = 2147483647 };

/* In the order of their enums; `expected` is for messages. */
static const struct setting_words {
    const char *expected;
    const char *words[ISOLATIONS]; /* NULL for values that can't be written */
} deferred_words = {"step, end or never", {"step", "end", "never"}},
  transactions_words = {"savepoint or commit", {"savepoint", "commit"}},
  isolation_words = {"read committed, repeatable read or serializable",
                     {[ISOLATION_READ_COMMITTED] = "read committed",
                      [ISOLATION_REPEATABLE_READ] = "repeatable read",
                      [ISOLATION_SERIALIZABLE] = "serializable"}};

static const struct setting_words accept_words = {"serial or invariants", {"serial", "invariants"}},
                                  gates_words = {"true or false", {"true", "false"}},
                                  prepared_words = {"true or false", {"false", "true"}},
                                  errors_words = {"predicted or any", {"predicted", "any"}};

const char *isolation_name(enum isolation isolation) { return isolation_words.words[isolation]; }

static const struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset;
    int64_t min;
    int64_t max;
    const struct setting_words *words;
} settings_table[] = {
    {"examples", SETTING_NUMBER, offsetof(struct settings, examples), 0, INT64_MAX, NULL},
    {"steps", SETTING_NUMBER, offsetof(struct settings, steps), 1, INT64_MAX, NULL},
    {"seed", SETTING_SEED, offsetof(struct settings, seed), 0, 0, NULL},
    {"statement_timeout", SETTING_DURATION, offsetof(struct settings, statement_timeout_ms), 0,
     TIMEOUT_MAX_MS, NULL},
    {"deadline", SETTING_DURATION, offsetof(struct settings, deadline_ms), 0, INT64_MAX, NULL},
    {"max_time", SETTING_DURATION, offsetof(struct settings, max_time_ms), 0, INT64_MAX, NULL},
    {"shrink.executions", SETTING_NUMBER, offsetof(struct settings, shrink_executions), 0,
     INT64_MAX, NULL},
    {"shrink.time", SETTING_DURATION, offsetof(struct settings, shrink_time_ms), 0, INT64_MAX,
     NULL},
    {"check_deferred", SETTING_WORD, offsetof(struct settings, check_deferred), 0, 0,
     &deferred_words},
    {"errors", SETTING_WORD, offsetof(struct settings, errors), 0, 0, &errors_words},
    {"transactions", SETTING_WORD, offsetof(struct settings, transactions), 0, 0,
     &transactions_words},
    {"isolation", SETTING_WORD, offsetof(struct settings, isolation), 0, 0, &isolation_words},
    {"sessions", SETTING_NUMBER, offsetof(struct settings, sessions), 1, 4, NULL},
    {"retry", SETTING_NUMBER, offsetof(struct settings, retry), 0, 1000, NULL},
    {"accept", SETTING_WORD, offsetof(struct settings, accept), 0, 0, &accept_words},
    {"gates", SETTING_WORD, offsetof(struct settings, gates), 0, 0, &gates_words},
    {"prepared", SETTING_WORD, offsetof(struct settings, prepared), 0, 0, &prepared_words},
    {"jobs", SETTING_NUMBER, offsetof(struct settings, jobs), 1, 1000, NULL},
};

/* Reads only digits, of a number that fits. */
static bool read_digits(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return is_digit(*text) && !*end && !errno;
}

bool setting_whole_number(const char *text, int64_t min, int64_t max, int64_t *out,
                          struct error *err)
{
    assert(min <= max);
    uint64_t number;
    if (read_digits(text, &number) && number <= (uint64_t)max && number >= (uint64_t)min) {
        *out = (int64_t)number;
        return true;
    }
    return max == INT64_MAX
               ? error_set(err, ERROR_USAGE, "expected a whole number from %lld on, not '%s'",
                           (long long)min, text)
               : error_set(err, ERROR_USAGE, "expected a whole number from %lld to %lld, not '%s'",
                           (long long)min, (long long)max, text);
}

static bool set_seed(struct settings *settings, const char *text, struct error *err)
{
    uint64_t seed;
    if (!read_digits(text, &seed)) {
        return error_set(err, ERROR_USAGE,
                         "expected a whole number from 0 to 18446744073709551615, not '%s'", text);
    }
    settings->seed = seed;
    settings->has_seed = true;
    return true;
}

/* An enum has the size of an unsigned. */
static bool set_word(const struct setting *setting, const char *text, void *out, struct error *err)
{
    const struct setting_words *words = setting->words;
    for (unsigned i = 0; i < sizeof words->words / sizeof *words->words; i++) {
        if (words->words[i] && strcmp(text, words->words[i]) == 0) {
            memcpy(out, &i, sizeof i);
            return true;
        }
    }
    return error_set(err, ERROR_USAGE, "expected %s, not '%s'", words->expected, text);
}

static bool set_number(const struct setting *setting, const char *text, int64_t *out,
                       struct error *err)
{
    if (setting->kind == SETTING_NUMBER) {
        return setting_whole_number(text, setting->min, setting->max, out, err);
    }
    int64_t ms;
    if (!timespan_parse(text, &ms, err)) {
        return false;
    }
    if (ms > setting->max) {
        return error_set(err, ERROR_USAGE, "'%s' is too long", text);
    }
    *out = ms;
    return true;
}

bool settings_set(struct settings *settings, const char *name, const char *text, struct error *err)
{
    if (!name_is_in(name, ROWS_IN(settings_table, name))) {
        return error_set(err, ERROR_USAGE, "there is no setting '%s'", name);
    }
    const struct setting *setting =
        &settings_table[name_index(name, ROWS_IN(settings_table, name))];
    int64_t *number = (int64_t *)(void *)((char *)settings + setting->offset);
    bool ok = setting->kind == SETTING_SEED   ? set_seed(settings, text, err)
              : setting->kind == SETTING_WORD ? set_word(setting, text, number, err)
                                              : set_number(setting, text, number, err);
    return ok || error_context(err, "%s", name);
}
