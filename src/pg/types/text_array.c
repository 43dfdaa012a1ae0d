#include "pg/types/text_array.h"

#include "pg/types/encode.h"

void text_array_add(struct text_array *array, const char *text, size_t size)
{
    if (array->list.type != VALUE_LIST) {
        array->list = value_list(&array->arena);
    }
    list_append(array->list.as.list, value_string(&array->arena, text, size));
}

const char *text_array_finish(const struct types *types, struct text_array *array)
{
    enum { TEXT_ARRAY = 1009 };
    struct error ignored;
    if (array->list.type != VALUE_LIST) {
        array->list = value_list(&array->arena);
    }
    encode_value(types, types_get(types, TEXT_ARRAY), array->list, &array->text, &ignored);
    return strbuf_text(&array->text);
}

void text_array_free(struct text_array *array)
{
    strbuf_free(&array->text);
    arena_free(&array->arena);
}
