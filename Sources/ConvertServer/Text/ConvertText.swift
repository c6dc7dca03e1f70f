// The names of bytes and exact texts, which the library and the server share.
@_exported public import ConvertText
