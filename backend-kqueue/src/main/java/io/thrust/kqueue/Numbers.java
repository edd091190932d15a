package io.thrust.kqueue;

import java.util.Map;
import jnr.constants.Constant;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one system's sockets and errors. They come from jnr-constants, which was generated from the systems'
 * own headers; what it lacks is here, with the header that has it.
 */
final class Numbers {
    /** {@code sys/fcntl.h}, everywhere. */
    static final int FD_CLOEXEC = 1;

    /** What jnr-constants lacks, or has for the relative that stands for the system. */
    private static final Map<OperatingSystem, Map<String, Integer>> OWN = Map.of(
            OperatingSystem.LINUX,
            Map.of("SO_NOSIGPIPE", 0),
            // xnu bsd/sys/socket.h. SO_LINGER counts in clock ticks there, this one in seconds.
            OperatingSystem.DARWIN,
            Map.of("SO_LINGER", 0x1080, "MSG_NOSIGNAL", 0, "SOCK_CLOEXEC", 0, "SOCK_NONBLOCK", 0),
            // FreeBSD sys/sys/socket.h
            OperatingSystem.FREEBSD,
            Map.of("SOCK_CLOEXEC", 0x1000_0000, "SOCK_NONBLOCK", 0x2000_0000),
            // NetBSD sys/sys/socket.h, sys/sys/fcntl.h, sys/sys/errno.h
            OperatingSystem.NETBSD,
            Map.of(
                    "SOCK_CLOEXEC",
                    0x1000_0000,
                    "SOCK_NONBLOCK",
                    0x2000_0000,
                    "SO_NOSIGPIPE",
                    0x0800,
                    "O_CLOEXEC",
                    0x0040_0000,
                    "EPROTO",
                    96),
            // OpenBSD sys/sys/socket.h
            OperatingSystem.OPENBSD,
            Map.of("SOCK_CLOEXEC", 0x8000, "SOCK_NONBLOCK", 0x4000, "SO_NOSIGPIPE", 0),
            OperatingSystem.DRAGONFLY,
            Map.of());

    final OperatingSystem os;

    final int afUnix;
    final int afInet;
    final int afInet6;
    final int sockStream;
    final int sockNonblock;
    final int sockCloexec;
    final int oNonblock;
    final int oCloexec;
    final int fGetfd;
    final int fSetfd;
    final int fGetfl;
    final int fSetfl;
    /** 0 where there is none; then {@link #soNosigpipe} is not. */
    final int msgNosignal;

    final int shutWr;
    final int solSocket;
    final int soError;
    final int soReuseaddr;
    final int soReuseport;
    final int soKeepalive;
    final int soLinger;
    final int soSndbuf;
    final int soRcvbuf;
    /** 0 where there is none. */
    final int soNosigpipe;

    final int ipprotoTcp;
    final int tcpNodelay;
    final int ipprotoIpv6;
    final int ipv6V6only;

    final int eperm;
    final int enoent;
    final int eintr;
    final int ebadf;
    final int emfile;
    final int eagain;
    final int einprogress;
    final int epipe;
    final int einval;
    final int enotconn;
    final int econnaborted;
    final int econnreset;
    final int etimedout;
    final int ehostunreach;
    final int enetunreach;
    final int eaddrnotavail;
    final int eafnosupport;
    private final int eproto;
    private final int enoprotoopt;
    private final int eopnotsupp;
    private final int ehostdown;
    private final int enetdown;

    private final @Nullable Constant[] errors = new Constant[256];

    Numbers(OperatingSystem os, String osArch) {
        this.os = os;
        String constants = packageOf(os, osArch);
        Table table = new Table(os, constants);
        afUnix = table.get("AddressFamily", "AF_UNIX");
        afInet = table.get("AddressFamily", "AF_INET");
        afInet6 = table.get("AddressFamily", "AF_INET6");
        sockStream = table.get("Sock", "SOCK_STREAM");
        sockNonblock = table.get("Sock", "SOCK_NONBLOCK");
        sockCloexec = table.get("Sock", "SOCK_CLOEXEC");
        oNonblock = table.get("OpenFlags", "O_NONBLOCK");
        oCloexec = table.get("OpenFlags", "O_CLOEXEC");
        fGetfd = table.get("Fcntl", "F_GETFD");
        fSetfd = table.get("Fcntl", "F_SETFD");
        fGetfl = table.get("Fcntl", "F_GETFL");
        fSetfl = table.get("Fcntl", "F_SETFL");
        msgNosignal = table.get("SocketMessage", "MSG_NOSIGNAL");
        shutWr = table.get("Shutdown", "SHUT_WR");
        solSocket = table.get("SocketLevel", "SOL_SOCKET");
        soError = table.get("SocketOption", "SO_ERROR");
        soReuseaddr = table.get("SocketOption", "SO_REUSEADDR");
        soReuseport = table.get("SocketOption", "SO_REUSEPORT");
        soKeepalive = table.get("SocketOption", "SO_KEEPALIVE");
        soLinger = table.get("SocketOption", "SO_LINGER");
        soSndbuf = table.get("SocketOption", "SO_SNDBUF");
        soRcvbuf = table.get("SocketOption", "SO_RCVBUF");
        soNosigpipe = table.get("SocketOption", "SO_NOSIGPIPE");
        ipprotoTcp = table.get("IPProto", "IPPROTO_TCP");
        tcpNodelay = table.get("TCP", "TCP_NODELAY");
        ipprotoIpv6 = table.get("IPProto", "IPPROTO_IPV6");
        ipv6V6only = table.get("IPv6", "IPV6_V6ONLY");
        eperm = table.get("Errno", "EPERM");
        enoent = table.get("Errno", "ENOENT");
        eintr = table.get("Errno", "EINTR");
        ebadf = table.get("Errno", "EBADF");
        emfile = table.get("Errno", "EMFILE");
        eagain = table.get("Errno", "EAGAIN");
        einprogress = table.get("Errno", "EINPROGRESS");
        epipe = table.get("Errno", "EPIPE");
        einval = table.get("Errno", "EINVAL");
        enotconn = table.get("Errno", "ENOTCONN");
        econnaborted = table.get("Errno", "ECONNABORTED");
        econnreset = table.get("Errno", "ECONNRESET");
        etimedout = table.get("Errno", "ETIMEDOUT");
        ehostunreach = table.get("Errno", "EHOSTUNREACH");
        enetunreach = table.get("Errno", "ENETUNREACH");
        eaddrnotavail = table.get("Errno", "EADDRNOTAVAIL");
        eafnosupport = table.get("Errno", "EAFNOSUPPORT");
        eproto = table.get("Errno", "EPROTO");
        enoprotoopt = table.get("Errno", "ENOPROTOOPT");
        eopnotsupp = table.get("Errno", "EOPNOTSUPP");
        ehostdown = table.get("Errno", "EHOSTDOWN");
        enetdown = table.get("Errno", "ENETDOWN");
        for (Constant error : table.type("Errno").getEnumConstants()) {
            // Of two names of one number the first is the usual one: EAGAIN comes before EWOULDBLOCK.
            int number = error.intValue();
            if (number > 0 && number < errors.length && errors[number] == null) {
                errors[number] = error;
            }
        }
    }

    /** Linux has other numbers on some architectures, in packages of their own. */
    private static String packageOf(OperatingSystem os, String osArch) {
        String general = "jnr.constants.platform." + os.constants + ".";
        if (os == OperatingSystem.LINUX) {
            String special = general + osArch + ".";
            try {
                Class.forName(special + "Errno", false, Numbers.class.getClassLoader());
                return special;
            } catch (ClassNotFoundException e) {
                return general;
            }
        }
        return general;
    }

    /** The POSIX name of an error number, for example {@code ECONNRESET}, or null. */
    @Nullable String errnoName(int errno) {
        Constant error = errno > 0 && errno < errors.length ? errors[errno] : null;
        return error == null ? null : error.name();
    }

    /** What the system calls the error. */
    String errnoWords(int errno) {
        Constant error = errno > 0 && errno < errors.length ? errors[errno] : null;
        return error == null ? "error " + errno : error + " (" + error.name() + ")";
    }

    /** Whether {@code accept} failed for one connection only, so that the next may be asked for. */
    boolean concernsOneConnection(int errno) {
        return errno == econnaborted
                || errno == eperm
                || errno == eproto
                || errno == enoprotoopt
                || errno == eopnotsupp
                || errno == ehostdown
                || errno == enetdown
                || errno == ehostunreach
                || errno == enetunreach;
    }

    /** Whether the kernel tells this error of a connection once and an end of stream after it. */
    boolean breaksConnection(int errno) {
        return errno == econnreset || errno == etimedout || errno == ehostunreach || errno == enetunreach;
    }

    /** The constants of one system, by the name of their enum and their own. */
    private record Table(OperatingSystem os, String constants) {

        int get(String type, String name) {
            Integer own = OWN.getOrDefault(os, Map.of()).get(name);
            if (own != null) {
                return own;
            }
            for (Constant constant : type(type).getEnumConstants()) {
                if (constant.name().equals(name) && constant.defined()) {
                    return constant.intValue();
                }
            }
            throw new IllegalStateException("jnr-constants has no " + name + " for " + os.osName);
        }

        Class<? extends Constant> type(String name) {
            String className = constants + name;
            try {
                return Class.forName(className).asSubclass(Constant.class);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("jnr-constants has no class " + className, e);
            }
        }
    }
}
