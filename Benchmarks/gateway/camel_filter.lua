-- Writes the keys of JSON responses in camelCase, as gateway plugins do: the body is buffered, decoded, rewritten and encoded.
local camel = require "camel"

return {
    head = function() ngx.header.content_length = nil end,
    body = function()
        local parts = ngx.ctx.parts
        if not parts then
            parts = {}
            ngx.ctx.parts = parts
        end
        parts[#parts + 1] = ngx.arg[1]
        if ngx.arg[2] then
            ngx.arg[1] = camel.converted(table.concat(parts))
        else
            ngx.arg[1] = nil
        end
    end,
}
