package io.thrust.backend;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Loads everything but the JDK anew, and records what it loads. */
public final class IsolatedLoader extends URLClassLoader {
    private final List<String> loaded = Collections.synchronizedList(new ArrayList<>());

    /** One that knows a part of this JVM's class path. */
    public IsolatedLoader(Predicate<String> included) throws MalformedURLException {
        this(System.getProperty("java.class.path"), included);
    }

    public IsolatedLoader(String classPath) throws MalformedURLException {
        this(classPath, entry -> true);
    }

    private IsolatedLoader(String classPath, Predicate<String> included) throws MalformedURLException {
        super(urls(classPath, included), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls(String classPath, Predicate<String> included) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (included.test(entry)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> found = super.findClass(name);
        loaded.add(name);
        return found;
    }

    /** The names of the classes that this loader loaded itself. */
    public List<String> loaded() {
        return loaded;
    }
}
