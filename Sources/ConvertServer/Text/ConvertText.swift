// The names of bytes, which the library and the server share.
@_exported public import ConvertText
