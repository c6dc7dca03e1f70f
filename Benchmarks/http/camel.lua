-- Responses of nginx: `camel` writes the keys of a JSON body in camelCase as gateway plugins do, `echo` sends the body back.
local cjson = require "cjson"

-- If cjson marks arrays, empty ones stay arrays. Debian's cjson does not mark them and writes `{}`.
local array_mark = cjson.array_mt
if array_mark then cjson.decode_array_with_array_mt(true) end

-- Keys repeat, so each is converted once and remembered.
local known = {}

local function camel_case(key)
    local name = known[key]
    if not name then
        name = key:gsub("_(.)", string.upper)
        known[key] = name
    end
    return name
end

local function is_array(value)
    if array_mark then return getmetatable(value) == array_mark end
    return value[1] ~= nil
end

-- Arrays keep their table; only their elements change.
local function with_camel_keys(value)
    if type(value) ~= "table" then return value end
    if is_array(value) then
        for index = 1, #value do
            local element = value[index]
            if type(element) == "table" then value[index] = with_camel_keys(element) end
        end
        return value
    end
    local result = {}
    for key, member in pairs(value) do
        if type(member) == "table" then member = with_camel_keys(member) end
        result[camel_case(key)] = member
    end
    return result
end

local function request_body()
    ngx.req.read_body()
    return ngx.req.get_body_data()
end

local function send(body)
    ngx.header["Content-Type"] = "application/json"
    ngx.header["Content-Length"] = #body
    ngx.print(body)
end

local function converted(body) return cjson.encode(with_camel_keys(cjson.decode(body))) end

return {
    converted = converted,
    camel = function() send(converted(request_body())) end,
    echo = function() send(request_body()) end,
}
