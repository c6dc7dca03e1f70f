// The library that packages depend on. Its parts are targets of their own, so that each one names only those below it.
@_exported public import ConvertCodable
@_exported public import ConvertEngine
@_exported public import ConvertFormats
@_exported public import ConvertProfiles
