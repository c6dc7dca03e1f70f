# Every snake_case key to camelCase, and five renames.
def capitalised: (.[0:1] | ascii_upcase) + (.[1:] | ascii_downcase);
def camelised:
    if startswith("_") then "_" + (.[1:] | camelised)
    elif contains("_") then split("_") | (.[0] | ascii_downcase) + (.[1:] | map(capitalised) | join(""))
    else . end;
def rewritten:
    {"created_at": "ca", "screen_name": "sn", "id_str": "is", "name": "n", "type": "t"}[.] // camelised;
def converted:
    if type == "object" then with_entries(.key |= rewritten | .value |= converted)
    elif type == "array" then map(converted)
    else . end;
converted
