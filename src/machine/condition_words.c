/* Names of PostgreSQL's conditions in other tools and in messages. */
#include "machine/conditions.h"

#include "base/names.h"

#include <ctype.h>
#include <string.h>

/* Without a leading errcode_ and a trailing _error or _exception. */
const struct condition_word condition_words[] = {
    {"access_denied", "insufficient_privilege"},
    {"already_exists", "unique_violation"},
    {"canceled", "query_canceled"},
    {"cancelled", "query_canceled"},
    {"check", "check_violation"},
    {"check_constraint", "check_violation"},
    {"check_constraint_violation", "check_violation"},
    {"check_option_violation", "with_check_option_violation"},
    {"column_not_found", "undefined_column"},
    {"constraint_violation", "integrity_constraint_violation"},
    {"could_not_serialize", "serialization_failure"},
    {"data", "data_exception"},
    {"deadlock", "deadlock_detected"},
    {"divide_by_zero", "division_by_zero"},
    {"duplicate", "unique_violation"},
    {"duplicate_key", "unique_violation"},
    {"duplicate_key_value", "unique_violation"},
    {"duplicate_key_violation", "unique_violation"},
    {"exclude_constraint_violation", "exclusion_violation"},
    {"exclude_violation", "exclusion_violation"},
    {"exclusion_constraint", "exclusion_violation"},
    {"exclusion_constraint_violation", "exclusion_violation"},
    {"fk_violation", "foreign_key_violation"},
    {"fkey_violation", "foreign_key_violation"},
    {"forbidden", "insufficient_privilege"},
    {"foreign_key", "foreign_key_violation"},
    {"foreign_key_constraint", "foreign_key_violation"},
    {"foreign_key_constraint_violation", "foreign_key_violation"},
    {"function_not_found", "undefined_function"},
    {"integer_out_of_range", "numeric_value_out_of_range"},
    {"integrity", "integrity_constraint_violation"},
    {"integrity_violation", "integrity_constraint_violation"},
    {"invalid_input", "invalid_text_representation"},
    {"invalid_input_syntax", "invalid_text_representation"},
    {"invalid_uuid", "invalid_text_representation"},
    {"lock_timeout", "lock_not_available"},
    {"no_rows", "no_data_found"},
    {"no_such_table", "undefined_table"},
    {"not_found", "no_data_found"},
    {"not_null", "not_null_violation"},
    {"not_null_constraint", "not_null_violation"},
    {"not_null_constraint_violation", "not_null_violation"},
    {"null_violation", "not_null_violation"},
    {"numeric_overflow", "numeric_value_out_of_range"},
    {"out_of_range", "numeric_value_out_of_range"},
    {"overflow", "numeric_value_out_of_range"},
    {"permission_denied", "insufficient_privilege"},
    {"policy_violation", "insufficient_privilege"},
    {"primary_key_violation", "unique_violation"},
    {"raise", "raise_exception"},
    {"raised", "raise_exception"},
    {"read_only_transaction", "read_only_sql_transaction"},
    {"reference_violation", "foreign_key_violation"},
    {"rls_violation", "insufficient_privilege"},
    {"row_level_security_violation", "insufficient_privilege"},
    {"row_security_violation", "insufficient_privilege"},
    {"serialization", "serialization_failure"},
    {"statement_timeout", "query_canceled"},
    {"syntax", "syntax_error"},
    {"table_not_found", "undefined_table"},
    {"timeout", "query_canceled"},
    {"unauthorized", "insufficient_privilege"},
    {"unique", "unique_violation"},
    {"unique_constraint", "unique_violation"},
    {"unique_constraint_violation", "unique_violation"},
    {"unique_key_violation", "unique_violation"},
    {"user_defined", "raise_exception"},
    {"value_too_long", "string_data_right_truncation"},
    {"zero_division", "division_by_zero"},
};

const size_t condition_word_count = sizeof condition_words / sizeof condition_words[0];

/* Converts "UniqueViolation" and "UNIQUE_VIOLATION" to "unique_violation"; false if the word is too
 * long. */
static bool to_small(const char *word, char *out, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; word[i]; i++) {
        bool begins =
            i > 0 && isupper((unsigned char)word[i]) && islower((unsigned char)word[i - 1]);
        if (length + 3 > size) {
            return false;
        }
        if (begins) {
            out[length++] = '_';
        }
        out[length++] = (char)tolower((unsigned char)word[i]);
    }
    out[length] = '\0';
    return true;
}

static const char *find_word(const char *word)
{
    size_t name = name_index(word, conditions, condition_count, sizeof *conditions,
                             offsetof(struct condition, name));
    size_t index = name_index(word, ROWS_IN(condition_words, word));
    return name < condition_count         ? conditions[name].name
           : index < condition_word_count ? condition_words[index].condition
                                          : NULL;
}

const char *condition_meant(const char *word)
{
    static const char *const endings[] = {"_error", "_exception"};
    static const char prefix[] = "errcode_";
    char small[64];
    if (!to_small(word, small, sizeof small)) {
        return NULL;
    }
    bool macro = strncmp(small, prefix, sizeof prefix - 1) == 0;
    char *name = small + (macro ? sizeof prefix - 1 : 0);
    const char *found = find_word(name);
    for (size_t i = 0; !found && i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(name);
        size_t end = strlen(endings[i]);
        if (size > end && strcmp(name + size - end, endings[i]) == 0) {
            name[size - end] = '\0';
            found = find_word(name);
        }
    }
    return found;
}
