#include "replay/recording/recorder.h"

#include "base/words.h"
#include "example/compare/compare.h"
#include "example/engine.h"
#include "example/observer.h"
#include "example/step/advance.h"
#include "example/step/invariant.h"
#include "replay/recording/record_check.h"
#include "replay/recording/record_computed.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1 << 30 };

struct recorder {
    struct observer observer; /* must be first */
    struct arena *arena;
    struct backend *backend;
    struct recording *recording;
    unsigned next_cell;
    struct known_texts known;
    struct answer answer; /* the last one; its status is ANSWER_SKIPPED if there was none */
    bool listens;         /* the session listens to channels of the machine */
    unsigned session;     /* the current session; 0 if there is none */
    size_t marked;        /* steps at the mark */
    size_t known_marked;
};

static struct recorder *recorder_of(struct observer *observer)
{
    return (struct recorder *)(void *)observer;
}

static void on_ready(struct observer *observer, const struct example *example)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    recorder->marked = recorder->recording->steps.count;
    recorder->known_marked = recorder->known.items.count;
}

static void on_begin(struct observer *observer, const struct example *example)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    recorder->recording->steps.count = recorder->marked;
    recorder->recording->sessions = recorder->session = 0;
    recorder->known.items.count = recorder->known_marked;
}

static void on_session(struct observer *observer, unsigned session)
{
    struct recorder *recorder = recorder_of(observer);
    recorder->session = session;
    recorder->recording->sessions += session != 0;
}

static struct recorded_step *begin_step(struct recorder *recorder, enum recorded_kind kind)
{
    struct recorded_step *step = VEC_PUSH(recorder->arena, &recorder->recording->steps);
    *step = (struct recorded_step){.kind = kind};
    recorder->answer = (struct answer){.status = ANSWER_SKIPPED};
    return step;
}

static struct recorded_step *current_step(const struct recorder *recorder)
{
    struct recording *recording = recorder->recording;
    return &recording->steps.items[recording->steps.count - 1];
}

static void on_row(struct observer *observer, const struct dataset_row *row)
{
    struct recorder *recorder = recorder_of(observer);
    begin_step(recorder, RECORDED_DATASET)->table = row->table;
}

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static struct prediction copy_prediction(struct arena *arena, const struct prediction *prediction)
{
    struct prediction copy = {.may_succeed = prediction->may_succeed};
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const struct predicted_error *error = &prediction->errors.items[i];
        *VEC_PUSH(arena, &copy.errors) = (struct predicted_error){
            .condition = copy_text(arena, error->condition),
            .constraint = copy_text(arena, error->constraint),
            .message = copy_text(arena, error->message),
            .table = copy_text(arena, error->table),
        };
    }
    return copy;
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct recorder *recorder = recorder_of(observer);
    struct recorded_step *recorded = begin_step(recorder, RECORDED_STEP);
    recorded->rule = step->rule;
    recorded->id = step->id;
    recorded->death = step->death;
    recorded->gate = step->gate;
    recorded->session = recorder->session;
    recorded->now = step->advanced ? now_text(recorder->arena, step->now_us) : NULL;
    recorded->raises = copy_prediction(recorder->arena, &step->raises);
}

static void on_check(struct observer *observer, const struct invariant_check *check)
{
    struct recorder *recorder = recorder_of(observer);
    begin_step(recorder, RECORDED_CHECK)->invariant = check->invariant;
}

static void on_deferred(struct observer *observer, const struct example *example)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    (void)begin_step(recorder, RECORDED_DEFERRED);
}

static struct recording_text recording_text_of(struct recorder *recorder)
{
    return (struct recording_text){recorder->arena, recorder->backend, &recorder->known};
}

static bool record_context(struct recorder *recorder, const struct backend_context *context,
                           const struct recorded_context **out, struct error *err)
{
    struct arena *arena = recorder->arena;
    const struct recording_text recording = recording_text_of(recorder);
    *out = NULL;
    if (!context) {
        return true;
    }
    struct recorded_context *copy = ARENA_NEW(arena, struct recorded_context);
    copy->role = copy_text(arena, context->role);
    copy->session_user = copy_text(arena, context->session_user);
    for (size_t i = 0; i < context->setting_count; i++) {
        const struct backend_setting *setting = &context->settings[i];
        struct recorded_setting *recorded = VEC_PUSH(arena, &copy->settings);
        recorded->name = setting->name;
        if (!recorded_value_make(&recording, (struct text_form){.setting = true}, context->given[i],
                                 &recorded->value, err)) {
            return false;
        }
    }
    *out = copy;
    return true;
}

static bool record_values(struct recorder *recorder, struct example *example,
                          const struct backend_call *call, struct recorded_statement *out,
                          struct error *err)
{
    const struct step *step =
        current_step(recorder)->kind == RECORDED_STEP ? example->working : NULL;
    const struct recording_text recording = recording_text_of(recorder);
    unsigned step_session = current_step(recorder)->session;
    size_t slot = 0;
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        if (call->sql->pieces.items[i].kind == SQL_TEXT) {
            continue;
        }
        const struct sql_piece *piece = &call->sql->pieces.items[i];
        struct recorded_value *value = VEC_PUSH(recorder->arena, &out->values);
        struct text_form form = {.type = call->types[slot]};
        /* A session does not send what comes after an error, so its types are unknown. */
        bool unsent =
            form.type == 0 && step_session > 0 && call->sql->pieces.items[i].kind == SQL_VALUE;
        if (!recorded_value_make(&recording, form, unsent ? value_none() : call->values[slot],
                                 value, err)) {
            return false;
        }
        if (step && !piece->global && piece->kind == SQL_VALUE && value->type) {
            record_computed(example, step, piece->slot, recorder->arena, value);
        }
        slot++;
    }
    return true;
}

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct recorder *recorder = recorder_of(observer);
    struct recorded_statement *statement =
        VEC_PUSH(recorder->arena, &current_step(recorder)->statements);
    statement->sql = call->sql;
    return record_context(recorder, call->context, &statement->context, err) &&
           record_values(recorder, example, call, statement, err);
}

static bool on_deferred_call(struct observer *observer, const struct backend_context *context,
                             struct error *err)
{
    struct recorder *recorder = recorder_of(observer);
    struct recorded_step *step = current_step(recorder);
    step->deferral = recorder->backend->ops->deferral(recorder->backend);
    step->deferral.restore = copy_text(recorder->arena, step->deferral.restore);
    step->deferred = step->deferral.any;
    return record_context(recorder, context, &step->deferred_context, err);
}

static struct value with_origins(struct recorder *recorder, struct arena *arena, struct value row)
{
    const struct tuple *tuple = row.as.tuple;
    struct value *items = arena_memdup(arena, tuple->items, tuple->count * sizeof *items);
    for (size_t i = 0; i < tuple->count; i++) {
        unsigned cell = recorder->next_cell++;
        if (value_takes_origin(items[i])) {
            known_texts_add(&recorder->known, cell, items[i]);
            items[i] = value_with_origin(items[i], cell);
        }
    }
    return value_row(arena, items, tuple->names, tuple->count);
}

static void give_origins(struct recorder *recorder, struct arena *arena, struct answer *answer)
{
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->row_count);
    for (size_t i = 0; i < answer->row_count; i++) {
        rows[i] = with_origins(recorder, arena, answer->rows[i]);
    }
    answer->rows = rows;
}

static void note_error(struct recorded_step *step, const struct answer *answer)
{
    if (answer->status == ANSWER_ERROR && !step->raised) {
        step->raised = true;
        memcpy(step->sqlstate, answer->error.sqlstate, sizeof step->sqlstate);
    }
}

/* Records the rows' values without origins, but with known texts of earlier answers (`known`, which
 * may be NULL). */
static void record_rows(struct recorder *recorder, const struct answer *answer,
                        struct known_texts *known, struct recorded_rows *out)
{
    const struct recording_text recording = {recorder->arena, recorder->backend, known};
    struct error ignored;
    *out = (struct recorded_rows){.ordered = true, .columns = answer->column_count};
    for (size_t i = 0; i < answer->row_count * answer->column_count; i++) {
        const struct answer_column *column = &answer->columns[i % answer->column_count];
        const struct tuple *row = answer->rows[i / answer->column_count].as.tuple;
        struct value value = value_with_origin(row->items[i % answer->column_count], 0);
        /* It is from the column, so its type has a form for it. */
        (void)recorded_value_make(&recording, (struct text_form){.type = column->type}, value,
                                  VEC_PUSH(recorder->arena, &out->cells), &ignored);
    }
}

static void record_answer(struct recorder *recorder, const struct answer *answer,
                          struct recorded_statement *statement)
{
    struct arena *arena = recorder->arena;
    struct recorded_rows *rows = ARENA_NEW(arena, struct recorded_rows);
    const char *command = copy_text(arena, answer->command);
    record_rows(recorder, answer, &recorder->known, rows);
    if (answer->column_count == 0 && command) {
        rows->columns = 1;
        struct recorded_value *value = VEC_PUSH(arena, &rows->cells);
        *VEC_PUSH(arena, &value->parts) = (struct recorded_part){command, strlen(command), 0};
    }
    statement->answer = rows;
}

/* The session's first run of a statement on this connection, which prepares it. */
static struct recorded_statement *first_run(struct recorder *recorder,
                                            const struct recorded_statement *statement)
{
    struct recording *recording = recorder->recording;
    struct recorded_statement *first = NULL;
    for (size_t i = 0; i + 1 < recording->steps.count; i++) {
        struct recorded_step *step = &recording->steps.items[i];
        bool own = step->session == recorder->session;
        for (size_t j = 0; own && !step->raised && !first && j < step->statements.count; j++) {
            struct recorded_statement *each = &step->statements.items[j];
            first = each->sql == statement->sql && each->status == ANSWER_OK ? each : NULL;
        }
        first = own && step->death ? NULL : first;
    }
    return first;
}

static void note_outlived(struct recorder *recorder, struct recorded_statement *statement)
{
    static const char commands[] = "SELECT|INSERT|UPDATE|DELETE|VALUES|TABLE|WITH|MERGE";
    struct recorded_statement *first = first_run(recorder, statement);
    if (first && statement->sql->command && word_is_in(statement->sql->command, commands)) {
        first->prepares = statement->executes = true;
    }
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    struct recorded_step *step = current_step(recorder);
    struct recorded_statement *statement = &step->statements.items[index];
    statement->status = answer->status;
    note_error(step, answer);
    if (answer->status == ANSWER_ERROR && answer->error.outlived) {
        note_outlived(recorder, statement);
    }
    if (answer->status != ANSWER_OK) {
        return;
    }
    statement->rows = answer->row_count;
    for (size_t i = 0; i < answer->column_count; i++) {
        const struct answer_column *column = &answer->columns[i];
        *VEC_PUSH(recorder->arena, &statement->columns) = (struct recorded_column){
            .name = arena_strdup(recorder->arena, column->name),
            .type = arena_strdup(recorder->arena, column->type_name),
            .class = column->class,
            .stored = column->origin && strcmp(statement->sql->command, "SELECT") == 0,
        };
    }
    if (recorder->recording->sessions) {
        record_answer(recorder, answer, statement);
    }
    if (step->kind == RECORDED_STEP && answer->column_count &&
        answer->row_count < (CELLS_MAX - recorder->next_cell) / answer->column_count) {
        statement->first_cell = recorder->next_cell;
        give_origins(recorder, arena, answer);
    }
    recorder->answer = *answer;
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    note_error(current_step(recorder), answer);
    recorder->listens = answer->listens;
}

/* A value without a form in the column's type equals none of its values, so it is recorded as text.
 */
static bool expected_cell(struct recorder *recorder, const struct answer_column *column,
                          struct value value, struct recorded_value *out, struct error *err)
{
    const struct recording_text recording = recording_text_of(recorder);
    if (value_is_wildcard(value)) {
        *out = (struct recorded_value){.null = true};
        return true;
    }
    if (recorded_value_make(&recording, (struct text_form){.type = column->type}, value, out,
                            err)) {
        return true;
    }
    struct strbuf text = {0};
    value_str(value, &text);
    *out = (struct recorded_value){0};
    *VEC_PUSH(recorder->arena, &out->parts) =
        (struct recorded_part){.text = strbuf_copy(&text, recorder->arena), .size = text.size};
    strbuf_free(&text);
    return true;
}

/* The recording ends with the statement whose answer is wrong. */
static void end_with(struct recorder *recorder, size_t index)
{
    struct recorded_step *step = current_step(recorder);
    step->statements.count = index + 1;
}

static bool on_expected(struct observer *observer, size_t index, struct value expected,
                        const struct answer *answer, struct error *err)
{
    struct recorder *recorder = recorder_of(observer);
    end_with(recorder, index);
    struct expected_rows rows;
    if (!expected_rows_of(recorder->arena, expected, answer, &rows, err)) {
        return false;
    }
    struct recorded_rows *out = ARENA_NEW(recorder->arena, struct recorded_rows);
    *out = (struct recorded_rows){
        .ordered = rows.shape == SHAPE_LIST, .columns = rows.columns, .left_out = rows.left_out};
    for (size_t i = 0; i < rows.count * rows.columns; i++) {
        const struct answer_column *column = &answer->columns[i % rows.columns];
        if (!expected_cell(recorder, column, rows.cells[i], VEC_PUSH(recorder->arena, &out->cells),
                           err)) {
            return false;
        }
    }
    recorder->recording->expected = out;
    return true;
}

static void on_affected(struct observer *observer, size_t index, int64_t count)
{
    struct recorder *recorder = recorder_of(observer);
    end_with(recorder, index);
    recorder->recording->affected = count;
}

/* True if a text has `result` in another form than result.NAME. */
static bool may_read_notifications(const char *text)
{
    static const char result[] = "result";
    static const char notifications[] = ".notifications";
    bool may = false;
    while (!may && (text = strstr(text, result))) {
        text += sizeof result - 1;
        may = *text != '.' || strncmp(text, notifications, sizeof notifications - 1) == 0;
    }
    return may;
}

static void on_untrue(struct observer *observer, struct example *example,
                      const struct lang_code *code, const struct value *locals, size_t count,
                      int result)
{
    struct recorder *recorder = recorder_of(observer);
    struct arena *arena = recorder->arena;
    const struct recording_text recording = recording_text_of(recorder);
    const struct snippet *text = lang_snippet(code);
    const struct untrue_check untrue = {
        .state = &example->state,
        .code = code,
        .locals = arena_memdup(arena, locals, count * sizeof *locals),
        .count = count,
        .slot = (size_t)result,
        .answer = &recorder->answer,
    };
    struct recorded_check *check = ARENA_NEW(arena, struct recorded_check);
    if (result != SLOT_NONE) {
        lang_unset(&untrue.locals[result]);
    }
    check->text = arena_strndup(arena, text->text, text->size);
    check->answered = recorder->answer.status == ANSWER_OK && result != SLOT_NONE &&
                      check_reads_answer(&untrue, arena);
    check->notified = recorder->listens && may_read_notifications(check->text);
    check->answered &= !check->notified;
    check->count = recorder->answer.count;
    recorder->recording->check = check;
    if (check->answered) {
        check->comparison = record_comparison(&recording, &untrue);
        record_rows(recorder, &recorder->answer, NULL, &check->rows);
    }
}

/* Names. */

static void add_recorded_name(struct recorder *recorder, struct value value, const char *name,
                              bool part)
{
    unsigned cell = value_origin(value);
    struct recording *recording = recorder->recording;
    for (size_t i = 0; i < recording->names.count; i++) {
        if (recording->names.items[i].cell == cell) {
            return;
        }
    }
    if (cell) {
        *VEC_PUSH(recorder->arena, &recording->names) =
            (struct recorded_name){cell, arena_strdup(recorder->arena, name), part};
    }
}

static void name_target(struct recorder *recorder, const struct target *target)
{
    for (size_t i = 0; i < target->arrivals.count; i++) {
        const struct arrival *arrival = &target->arrivals.items[i];
        if (arrival->value.type != VALUE_TUPLE) {
            add_recorded_name(recorder, arrival->value, arrival->name, false);
            continue;
        }
        for (size_t j = 0; j < arrival->value.as.tuple->count; j++) {
            add_recorded_name(recorder, arrival->value.as.tuple->items[j], arrival->name, true);
        }
    }
}

void recorder_name(struct recorder *recorder, const struct example *example)
{
    const struct lang_module *module = example->engine->machine->module;
    for (size_t i = 0; i < example->bundles.targets.count; i++) {
        name_target(recorder, example->bundles.targets.items[i]);
    }
    for (size_t i = 0; i < lang_module_global_count(module); i++) {
        struct value value;
        if (lang_get_global(&example->state, i, &value) && value_takes_origin(value)) {
            add_recorded_name(recorder, value, lang_module_global_name(module, i), false);
        }
    }
}

static const struct observer_ops recorder_ops = {
    .ready = on_ready,
    .begin = on_begin,
    .session = on_session,
    .row = on_row,
    .step = on_step,
    .check = on_check,
    .deferred = on_deferred,
    .call = on_call,
    .deferred_call = on_deferred_call,
    .answer = on_answer,
    .deferred_answer = on_deferred_answer,
    .expected = on_expected,
    .affected = on_affected,
    .untrue = on_untrue,
};

/* The recording may outlive the backend. */
static struct backend_changes copy_changes(struct backend_changes changes, struct arena *arena)
{
    struct backend_setting *own = ARENA_ARRAY(arena, struct backend_setting, changes.own_count);
    for (size_t i = 0; i < changes.own_count; i++) {
        own[i].name = arena_strdup(arena, changes.own[i].name);
        own[i].value = arena_strdup(arena, changes.own[i].value);
    }
    changes.own = own;
    return changes;
}

struct recorder *recorder_new(struct arena *arena, struct backend *backend)
{
    struct recorder *recorder = memory_alloc(sizeof *recorder);
    *recorder = (struct recorder){
        .observer = {&recorder_ops},
        .arena = arena,
        .backend = backend,
        .recording = ARENA_NEW(arena, struct recording),
        .next_cell = 1,
        .known = {.arena = arena},
    };
    recorder->recording->affected = -1;
    recorder->recording->changes = copy_changes(backend->ops->changes(backend), arena);
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    strbuf_free(&recorder->known.sent);
    free(recorder);
}

struct observer *recorder_observer(struct recorder *recorder) { return &recorder->observer; }

struct recording *recorder_recording(struct recorder *recorder) { return recorder->recording; }
