/* convert_json._render: Python data as JSON text, with other keys, in one pass. json.dumps cannot change keys, and a second dictionary for
 * each dictionary takes longer than the text.
 *
 * What it cannot render exactly as djangorestframework would is an error. The caller then takes the slow way, which has the last word.
 */
#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <string.h>

typedef struct {
    char *bytes;
    size_t count, capacity;
    PyObject *keys;  /* dict: key -> the bytes of its JSON text and a colon */
    PyObject *other; /* callable: any other value -> data of the types below, or bytes of JSON */
} Output;

static int render(Output *out, PyObject *value);

static int append(Output *out, const char *bytes, size_t count) {
    if (out->capacity - out->count < count) {
        size_t capacity = out->capacity + out->capacity / 2 + count;
        char *grown = PyMem_Realloc(out->bytes, capacity);
        if (!grown) { PyErr_NoMemory(); return -1; }
        out->bytes = grown;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
    return 0;
}

static int append_bytes(Output *out, PyObject *bytes) {
    char *start;
    Py_ssize_t count;
    if (PyBytes_AsStringAndSize(bytes, &start, &count) < 0) return -1;
    return append(out, start, (size_t)count);
}

/* Escapes control characters, the quote, the backslash, U+2028 and U+2029 (E2 80 A8, E2 80 A9), as djangorestframework does. */
static int render_string(Output *out, PyObject *value) {
    static const char *const shorts = "btn-fr", *const digits = "0123456789abcdef";
    Py_ssize_t count, start = 0, at;
    const unsigned char *text = (const unsigned char *)PyUnicode_AsUTF8AndSize(value, &count);
    if (!text || append(out, "\"", 1) < 0) return -1;
    for (at = 0; at < count; at++) {
        unsigned char byte = text[at];
        char escape[6] = {'\\', 'u', '0', '0', 0, 0};
        size_t length = 6, taken = 1;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0xE2) continue;
        if (byte == 0xE2) {
            if (text[at + 1] != 0x80 || (text[at + 2] & 0xFE) != 0xA8) continue;
            memcpy(escape + 2, text[at + 2] == 0xA8 ? "2028" : "2029", 4);
            taken = 3;
        } else if (byte >= 0x20 || (byte >= '\b' && byte <= '\r' && byte != '\v')) {
            escape[1] = byte >= 0x20 ? (char)byte : shorts[byte - '\b'];
            length = 2;
        } else {
            escape[4] = digits[byte >> 4];
            escape[5] = digits[byte & 15];
        }
        if (append(out, (const char *)text + start, (size_t)(at - start)) < 0 || append(out, escape, length) < 0) return -1;
        at += (Py_ssize_t)taken - 1;
        start = at + 1;
    }
    return append(out, (const char *)text + start, (size_t)(count - start)) < 0 ? -1 : append(out, "\"", 1);
}

static int render_int(Output *out, PyObject *value) {
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    char digits[24], *start = digits + sizeof digits;
    unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    if (overflow) {
        PyObject *text = PyObject_Str(value), *bytes = text ? PyUnicode_AsASCIIString(text) : NULL;
        int result = bytes ? append_bytes(out, bytes) : -1;
        Py_XDECREF(text);
        Py_XDECREF(bytes);
        return result;
    }
    do *--start = (char)('0' + rest % 10); while (rest /= 10);
    if (number < 0) *--start = '-';
    return append(out, start, (size_t)(digits + sizeof digits - start));
}

static int render_float(Output *out, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    char *text;
    int result;
    if (!isfinite(number)) { PyErr_SetString(PyExc_ValueError, "not finite"); return -1; }
    text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (!text) return -1;
    result = append(out, text, strlen(text));
    PyMem_Free(text);
    return result;
}

static int render_list(Output *out, PyObject *value, int is_list) {
    Py_ssize_t at;
    for (at = 0; at < (is_list ? PyList_Size(value) : PyTuple_Size(value)); at++) {
        PyObject *element = is_list ? PyList_GetItem(value, at) : PyTuple_GetItem(value, at);
        int result;
        if (!element) return -1;
        Py_INCREF(element);
        result = append(out, at ? "," : "[", 1) < 0 ? -1 : render(out, element);
        Py_DECREF(element);
        if (result < 0) return -1;
    }
    return append(out, at ? "]" : "[]", at ? 1 : 2);
}

/* If two keys become the same key, djangorestframework-camel-case keeps one member; here it is an error. */
static int check_keys(PyObject **keys, Py_ssize_t count) {
    PyObject *set = PySet_New(NULL);
    Py_ssize_t at;
    int result = set ? 0 : -1;
    for (at = 0; at < count && result == 0; at++) result = PySet_Add(set, keys[at]);
    if (result == 0 && PySet_Size(set) != count) {
        PyErr_SetString(PyExc_ValueError, "equal keys");
        result = -1;
    }
    Py_XDECREF(set);
    return result;
}

static int render_dict(Output *out, PyObject *value) {
    Py_ssize_t position = 0, count = 0, room = PyDict_Size(value), at;
    PyObject *key, *element, *few[32], **members = few;
    int result = 0;
    if (room > 16 && !(members = PyMem_Malloc((size_t)room * 2 * sizeof *members))) { PyErr_NoMemory(); return -1; }
    /* All members are retained before other code runs, because that code could change the dictionary. */
    while (count < room && PyDict_Next(value, &position, &key, &element)) {
        PyObject *text = PyUnicode_CheckExact(key) ? PyDict_GetItemWithError(out->keys, key) : NULL;
        Py_INCREF(element);
        Py_INCREF(key);
        if (text) Py_INCREF(text);
        else text = PyErr_Occurred() ? NULL : PyObject_GetItem(out->keys, key);
        Py_DECREF(key);
        if (!text) { Py_DECREF(element); result = -1; break; }
        members[count] = text;
        members[room + count++] = element;
    }
    if (result == 0 && count > 1) result = check_keys(members, count);
    for (at = 0; at < count && result == 0; at++) {
        result = append(out, at ? "," : "{", 1) < 0 || append_bytes(out, members[at]) < 0 ? -1 : render(out, members[room + at]);
    }
    for (at = 0; at < count; at++) { Py_DECREF(members[at]); Py_DECREF(members[room + at]); }
    if (members != few) PyMem_Free(members);
    return result < 0 ? -1 : append(out, count ? "}" : "{}", count ? 1 : 2);
}

static int render_other(Output *out, PyObject *value) {
    PyObject *replacement = PyObject_CallFunctionObjArgs(out->other, value, NULL);
    int result = !replacement ? -1 : PyBytes_CheckExact(replacement) ? append_bytes(out, replacement) : render(out, replacement);
    Py_XDECREF(replacement);
    return result;
}

static int render(Output *out, PyObject *value) {
    int result;
    if (PyUnicode_CheckExact(value)) return render_string(out, value);
    if (PyLong_CheckExact(value)) return render_int(out, value);
    if (value == Py_None) return append(out, "null", 4);
    if (value == Py_True) return append(out, "true", 4);
    if (value == Py_False) return append(out, "false", 5);
    if (PyFloat_CheckExact(value)) return render_float(out, value);
    if (Py_EnterRecursiveCall(" in convert_json")) return -1;
    if (PyDict_CheckExact(value)) result = render_dict(out, value);
    else if (PyList_CheckExact(value)) result = render_list(out, value, 1);
    else if (PyTuple_CheckExact(value)) result = render_list(out, value, 0);
    else result = render_other(out, value);
    Py_LeaveRecursiveCall();
    return result;
}

static PyObject *render_data(PyObject *self, PyObject *arguments) {
    Output out = {NULL, 0, 0, NULL, NULL};
    PyObject *data, *text = NULL;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO!O", &data, &PyDict_Type, &out.keys, &out.other)) return NULL;
    if (render(&out, data) == 0) text = PyBytes_FromStringAndSize(out.bytes, (Py_ssize_t)out.count);
    PyMem_Free(out.bytes);
    return text;
}

static PyMethodDef methods[] = {{"render", render_data, METH_VARARGS, "render(data, keys, other) -> bytes"}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_render", NULL, 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__render(void) { return PyModuleDef_Init(&module); }
