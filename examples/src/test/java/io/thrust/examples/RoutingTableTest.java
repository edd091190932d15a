package io.thrust.examples;

import static io.thrust.examples.PrefixTest.address;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kinds of routing tables do the same. */
@Timeout(60)
class RoutingTableTest {
    private static Route route(String network, int length, long version) {
        return new Route(new Prefix(address(network), length), 0, version);
    }

    private static PrefixMap map(Route... routes) {
        PrefixMap map = new PrefixMap();
        for (Route route : routes) {
            map.put(route);
        }
        return map;
    }

    @ParameterizedTest
    @EnumSource
    void theLongestPrefixWins(TableKind kind) {
        Route all = route("0.0.0.0", 0, 0);
        Route ten = route("10.0.0.0", 8, 0);
        Route host = route("10.1.2.3", 32, 0);
        RoutingTable table = kind.create(map(ten, host));
        assertThat(table.lookup(address("10.1.2.3"))).isSameAs(host);
        assertThat(table.lookup(address("10.1.2.4"))).isSameAs(ten);
        assertThat(table.lookup(address("11.1.2.4"))).isNull();
        table.put(all);
        assertThat(table.lookup(address("11.1.2.4"))).isSameAs(all);
        assertThat(table.lookup(address("10.1.2.4"))).isSameAs(ten);
        assertThat(table.size()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void anUpdateReplacesTheRouteOfItsPrefixAlone(TableKind kind) {
        Route left = route("10.0.0.0", 9, 1);
        Route right = route("10.128.0.0", 9, 1);
        RoutingTable table = kind.create(map(left, right));
        Route newer = route("10.128.0.0", 9, 2);
        table.put(newer);
        assertThat(table.lookup(address("10.0.0.1"))).isSameAs(left);
        assertThat(table.lookup(address("10.128.0.1"))).isSameAs(newer);
        assertThat(table.size()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void theRoutesItWasMadeOfStayTheCallers(TableKind kind) {
        Route first = route("10.0.0.0", 8, 1);
        PrefixMap routes = map(first);
        RoutingTable table = kind.create(routes);
        routes.put(route("10.0.0.0", 8, 2));
        assertThat(table.lookup(address("10.0.0.1"))).isSameAs(first);
    }

    @ParameterizedTest
    @EnumSource
    void itFindsWhatALookAtEachRouteFinds(TableKind kind) {
        Random random = new Random(7);
        Map<Prefix, Route> routes = new HashMap<>();
        RoutingTable table = kind.create(new PrefixMap());
        for (int i = 0; i < 2000; i++) {
            int length = random.nextInt(33);
            // Few different bits, so that prefixes lie within each other.
            int bits = random.nextInt() & 0x0103_0101;
            Prefix prefix = new Prefix(length == 0 ? 0 : bits & -1 << 32 - length, length);
            Route route = new Route(prefix, i, i);
            routes.put(prefix, route);
            table.put(route);
        }
        assertThat(table.size()).isEqualTo(routes.size());
        for (int i = 0; i < 2000; i++) {
            int address = random.nextInt() & 0x0303_0303;
            Route expected = null;
            for (int length = 32; length >= 0 && expected == null; length--) {
                expected = routes.get(new Prefix(length == 0 ? 0 : address & -1 << 32 - length, length));
            }
            assertThat(table.lookup(address)).isSameAs(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void readersSeeUpdatesInTheirOrderAndAlwaysARoute(TableKind kind) {
        int updates = 20_000;
        List<Route> versions = new ArrayList<>();
        Map<Route, Integer> numbers = new HashMap<>();
        for (int i = 0; i <= updates; i++) {
            versions.add(route("10.0.0.0", 8, i));
            numbers.put(versions.get(i), i);
        }
        RoutingTable table = kind.create(map(versions.get(0), route("10.1.0.0", 16, 0)));
        List<CompletableFuture<@Nullable Void>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readers.add(CompletableFuture.runAsync(() -> {
                int last = 0;
                while (last < updates) {
                    int number = Objects.requireNonNull(numbers.get(table.lookup(address("10.2.0.0"))));
                    assertThat(number).isGreaterThanOrEqualTo(last);
                    last = number;
                }
            }));
        }
        versions.subList(1, versions.size()).forEach(table::put);
        readers.forEach(CompletableFuture::join);
    }

    @Test
    void anUpdateMakesOneRouteNewerAndIsCounted() {
        List<Prefix> prefixes = DemoRoutes.prefixes(300);
        RoutingTable table = TableKind.SNAPSHOT.create(DemoRoutes.map(prefixes));
        RouteUpdates updates = new RouteUpdates(table, prefixes);
        assertThat(newer(table, prefixes)).isEmpty();
        updates.update();
        assertThat(newer(table, prefixes)).singleElement().asString().endsWith(" version 1\n");
        assertThat(updates.count()).isOne();
    }

    private static List<Route> newer(RoutingTable table, List<Prefix> prefixes) {
        return prefixes.stream()
                .map(prefix -> Objects.requireNonNull(table.lookup(prefix.network() | 255 << 8 | 255)))
                .filter(route -> !route.toString().endsWith(" version 0\n"))
                .distinct()
                .toList();
    }

    @Test
    void thePrefixesOfTheDemoAreDifferentOnes() {
        List<Prefix> prefixes = DemoRoutes.prefixes(DemoRoutes.MOST);
        assertThat(prefixes).hasSize(DemoRoutes.MOST).doesNotHaveDuplicates();
        assertThat(prefixes.get(0)).hasToString("10.0.0.0/8");
        assertThat(prefixes.get(DemoRoutes.MOST - 1)).hasToString("10.255.255.0/24");
        assertThat(DemoRoutes.map(prefixes).size()).isEqualTo(DemoRoutes.MOST);
    }
}
