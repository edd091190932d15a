-- Requests for wrk: addresses spread over the routes of the routing-table example, the same in each run.
local requests = {}
local last = 0

-- Called once the Host is known.
init = function()
    local state = 1
    for i = 1, 4096 do
        state = (state * 1103515245 + 12345) % 2147483648
        local bits = math.floor(state / 256)
        requests[i] = wrk.format("GET", string.format("/route/10.%d.%d.1", math.floor(bits / 256) % 40, bits % 256))
    end
end

request = function()
    last = last % #requests + 1
    return requests[last]
end
