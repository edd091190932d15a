package io.thrust.benchmarks.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Netty with one event loop: {@code nio} or {@code epoll}, with {@code raw} bytes or its own HTTP {@code codec}. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which ends all there is
public final class NettyServer {
    private static final int BACKLOG = 4096;

    private NettyServer() {}

    /** Serves until it is killed. */
    public static void main(String[] args) throws InterruptedException {
        boolean epoll = args[0].equals("epoll");
        boolean codec = args[1].equals("codec");
        IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        Class<? extends ServerChannel> channel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, factory);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Heads.port());
        new ServerBootstrap()
                .group(group)
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Initializer(codec))
                .bind(address)
                .sync();
        System.out.println("netty listening on " + address);
        group.terminationFuture().sync();
    }

    private static final class Initializer extends ChannelInitializer<SocketChannel> {
        private final boolean codec;

        Initializer(boolean codec) {
            this.codec = codec;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            if (Heads.isEcho()) {
                channel.pipeline().addLast(new Echo());
            } else if (codec) {
                channel.pipeline().addLast(new HttpServerCodec(), new Hello());
            } else {
                channel.pipeline().addLast(new RawHello());
            }
        }
    }

    private static class Flushing extends ChannelInboundHandlerAdapter {
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static final class Echo extends Flushing {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }
    }

    private static final class RawHello extends Flushing {
        private static final ByteBuf ANSWERS = Unpooled.unreleasableBuffer(
                Unpooled.wrappedBuffer(Heads.answers()).asReadOnly());

        private final Heads heads = new Heads();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            int ended = 0;
            for (int i = bytes.readerIndex(), to = bytes.writerIndex(); i < to; i++) {
                if (heads.endsWith(bytes.getByte(i))) {
                    ended++;
                }
            }
            bytes.release();
            if (ended > 0) {
                context.write(ANSWERS.slice(0, ended * Heads.ANSWER.length), context.voidPromise());
            }
        }
    }

    private static final class Hello extends Flushing {
        private static final byte[] BODY = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                FullHttpResponse response = new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(BODY));
                response.headers()
                        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                        .setInt(HttpHeaderNames.CONTENT_LENGTH, BODY.length);
                if (HttpUtil.isKeepAlive(request)) {
                    context.write(response, context.voidPromise());
                } else {
                    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
                }
            }
            // What follows is the end of the request: none of ours has a body.
        }
    }
}
